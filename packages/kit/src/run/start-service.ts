import { setMaxListeners } from 'node:events';
import type { Log } from '@tds/base';
import {
  type Check,
  createInstruments,
  createLog,
  createMetrics,
  type EventLoopWatch,
  type HealthServer,
  startHealthServer,
  watchEventLoop,
} from '@tds/base/internals';
import type { Surface } from '@tds/contracts';
import type { Dispatchers, Runtime, StoreRuntime } from '@tds/messaging/internals';
import type { Pool } from 'pg';
import type { Backlog } from '../service.ts';
import { measureAtScrape } from './at-scrape.ts';
import { answersCommands, type Foundations, openFoundations } from './foundations.ts';
import { type KitConfig, loadKitConfig } from './kit-config.ts';
import { toServiceKit } from './service-kit.ts';
import { createStopList, type StopList } from './stop-list.ts';
import { type AnyHandlers, startWork } from './work.ts';

/** A service definition with any surface. */
export type StartableService = {
  readonly surface: Surface;
  start(kit: never, environment: NodeJS.ProcessEnv): Promise<object>;
};

export type RunningService = {
  readonly name: string;
  /** `health`, and the addresses that the service announced. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly log: Log;
  /** The service's own connections, for tests and administration. */
  readonly db: Pool | undefined;
  /** Takes no more work, finishes the work in hand, disconnects. */
  stop(): Promise<void>;
};

export type StartOptions = {
  readonly processMetrics?: boolean;
};

type Start = {
  readonly service: StartableService;
  readonly environment: NodeJS.ProcessEnv;
  readonly config: KitConfig;
  readonly log: Log;
  readonly stops: StopList;
  readonly checks: Map<string, Check>;
  readonly addresses: Record<string, string>;
  readonly metrics: ReturnType<typeof createMetrics>;
  readonly loop: EventLoopWatch;
};

const noDispatchers = (): Dispatchers => ({
  wakeRelay: () => {},
  hint: () => {},
  eventLeaseMs: () => null,
  publish: () => {},
  wakeTasks: () => {},
  wakeAll: () => {},
});

const addChecks = (
  checks: Map<string, Check>,
  { pool, bus, refusals }: Foundations,
  surface: Surface,
): void => {
  if (pool) checks.set('database', async () => void (await pool.query('SELECT 1')));
  checks.set('rights', () => {
    const [refusal] = refusals();
    if (refusal !== undefined) throw new Error(refusal);
  });
  if (!answersCommands(surface)) return;
  checks.set('broker', () => {
    if (!bus.isConnected()) throw new Error('not connected');
  });
};

/** From connections to a working service. */
const bringUp = async (start: Start): Promise<Foundations> => {
  const { service, environment, config, log, stops, checks } = start;
  const { surface } = service;
  const { name } = surface;
  const metrics = createInstruments(start.metrics);
  const given = { environment, config, log, metrics, stops };
  const foundations = await openFoundations({ service: name, surface, ...given });
  addChecks(checks, foundations, surface);
  const ending = new AbortController();
  // Each task and connection in hand follows this signal.
  setMaxListeners(0, ending.signal);
  const { pool, kitPool, database, bus } = foundations;
  const runtime: Runtime | StoreRuntime = {
    service: name,
    surface,
    bus,
    log,
    metrics,
    checks,
    ending: ending.signal,
    ...(pool && kitPool ? { pool: kitPool, servicePool: pool, database } : {}),
  };
  const dispatchers = noDispatchers();
  const backlogs = new Map<string, () => Promise<Backlog>>();
  const dueQuestions = new Map<string, string>();
  const provided = { runtime, foundations, dispatchers, measures: start.metrics, backlogs, dueQuestions };
  const kit = toServiceKit({ ...start, ...provided });
  const handlers = (await service.start(kit as never, environment)) as AnyHandlers;
  await startWork(runtime, {
    handlers,
    stops,
    dispatchers,
    dueQuestions,
    ending,
    maxInFlight: config.MAX_COMMANDS_IN_FLIGHT,
    loop: start.loop,
    stopWithinMs: config.STOP_WITHIN,
  });
  measureAtScrape(start.metrics, { surface, instruments: metrics, foundations, checks, backlogs });
  return foundations;
};

const openHealth = (start: Start, isStopping: () => boolean): Promise<HealthServer> => {
  const { config, checks, metrics, loop } = start;
  return startHealthServer({
    port: config.HEALTH_PORT,
    host: config.HEALTH_HOST,
    checks,
    metrics,
    loop,
    isStopping,
  });
};

/** Starts one service in this process. If a later step fails, earlier ones are undone. */
export const startService = async (
  service: StartableService,
  environment: NodeJS.ProcessEnv,
  { processMetrics = true }: StartOptions = {},
): Promise<RunningService> => {
  const { name } = service.surface;
  const config = loadKitConfig(name, environment);
  const log = createLog({ service: name, level: config.LOG_LEVEL });
  const stops = createStopList(log);
  const addresses: Record<string, string> = {};
  const checks = new Map<string, Check>([['started', () => Promise.reject(new Error('not yet'))]]);
  const start: Start = {
    service,
    environment,
    config,
    log,
    stops,
    checks,
    addresses,
    metrics: createMetrics(name, { processMetrics }),
    loop: watchEventLoop(),
  };
  stops.add('event loop', async () => start.loop.stop());
  let stopping = false;
  try {
    // First, so that probes get answers while the rest waits for servers; closed last.
    const health = await openHealth(start, () => stopping);
    stops.add('health', health.close);
    addresses.health = `http://${config.HEALTH_HOST ?? '127.0.0.1'}:${health.port}`;
    const { pool } = await bringUp(start);
    checks.delete('started');
    log.info('ready', { addresses });
    const stop = async () => {
      stopping = true;
      await stops.run();
    };
    return { name, addresses, log, db: pool, stop };
  } catch (error) {
    await stops.run();
    throw error;
  }
};
