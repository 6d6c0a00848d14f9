import {
  ConfigError,
  createBodies,
  createLog,
  createProjections,
  type OnProjectionFailure,
  startHealthServer,
  startTelemetry,
} from '@tds/base/internals';
import type { Surface } from '@tds/contracts';
import type { Runtime, StoreRuntime } from '@tds/messaging/internals';
import { measureAtScrape } from './at-scrape.ts';
import {
  answersCommands,
  type Connections,
  connectBus,
  openDatabase,
  openObjects,
  openRedises,
} from './connections.ts';
import { beginLife, type Life, type StartOptions } from './life.ts';
import { returnMemory } from './return-memory.ts';
import { toServiceKit } from './service-kit.ts';
import { type AnyHandlers, startWork } from './work.ts';

/** A service definition with any surface. */
export type StartableService = {
  readonly surface: Surface;
  start(kit: never, environment: NodeJS.ProcessEnv): Promise<object>;
};

const openHealth = async ({ config, checks, metrics, loop, stops, addresses }: Life): Promise<void> => {
  const { HEALTH_PORT: port, HEALTH_HOST: host } = config;
  const { isRunning: isStopping } = stops;
  const health = await startHealthServer({ port, host, checks, metrics, loop, isStopping });
  stops.add('health', health.close);
  addresses.health = `http://${host ?? '127.0.0.1'}:${health.port}`;
};

const addChecks = ({ checks, surface }: Life, { pool, bus, refusals }: Connections): void => {
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

const toRuntime = (life: Life, { pool, kitPool, database, bus }: Connections): Runtime | StoreRuntime => {
  const { service, surface, log, metrics, checks, ending } = life;
  const runtime = { service, surface, bus, log, metrics, checks, ending: ending.signal };
  return pool && kitPool ? { ...runtime, pool: kitPool, servicePool: pool, database } : runtime;
};

/** In this order; each enters the stop list as it opens. */
const connect = async (life: Life): Promise<Connections> => {
  const { service, config, log, metrics, stops } = life;
  const otlpEndpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  const telemetry = await startTelemetry({ service, otlpEndpoint, log });
  stops.add('telemetry', telemetry.stop);
  const { pool, kitPool, database } = openDatabase(life);
  const [records, cache] = await openRedises(life);
  const onFailure: OnProjectionFailure = ({ projection, operation }) =>
    metrics.projectionFailures.inc({ projection, operation });
  const store = await openObjects(life);
  const bus = await connectBus(life);
  return {
    pool,
    kitPool,
    database,
    redis: records.redis,
    objects: store.objects,
    bus,
    projections: records.redis && createProjections(records.redis, onFailure),
    bodies: cache.redis && createBodies(cache.redis, onFailure),
    refusals: () => [bus, records, cache, store].flatMap((each) => each.refusals()),
  };
};

/**
 * The life of a service in this process: configuration, health, telemetry, database, Redis, objects, broker; then the service's own
 * dependencies and HTTP; then work. It stops in the reverse order. If a step fails, earlier ones are undone.
 */
export const startService = async (
  service: StartableService,
  environment: NodeJS.ProcessEnv,
  options: StartOptions = {},
) => {
  const life = beginLife(service.surface, environment, options);
  const { log, stops, checks, addresses } = life;
  try {
    // First, so that probes get answers while the rest waits for servers; closed last.
    await openHealth(life);
    const connections = await connect(life);
    addChecks(life, connections);
    const runtime = toRuntime(life, connections);
    const kit = toServiceKit(life, runtime, connections);
    const handlers = (await service.start(kit as never, environment)) as AnyHandlers;
    await startWork(runtime, handlers, life);
    measureAtScrape(life, connections);
    checks.delete('started');
    log.info('ready', { addresses });
    return {
      name: life.service as string,
      /** `health`, and the addresses that the service announced. */
      addresses,
      log,
      /** The service's own connections, for tests and administration. */
      db: connections.pool,
      /** Takes no more work, finishes the work in hand, disconnects. */
      stop: stops.run,
    };
  } catch (error) {
    await stops.run();
    throw error;
  }
};

export type { StartOptions };

export type RunningService = Readonly<Awaited<ReturnType<typeof startService>>>;

const STOPPED_BY_SIGNAL = 0;
const FAILED = 1;
/** Longer than the service's own time limit, to end a stop that hangs. */
export const LAST_RESORT_MS = 20_000;

/**
 * Runs one service as this process until SIGTERM or SIGINT; a second signal exits at once. A service that cannot start
 * ends with exit code 1 and says why.
 */
export const runService = async (service: StartableService, environment: NodeJS.ProcessEnv): Promise<void> => {
  const log = createLog({ service: service.surface.name });
  // Before the service takes work, because it collects all garbage.
  returnMemory();
  const fail = (message: string) => (error: unknown) => {
    log.error(message, error instanceof ConfigError ? { problems: error.problems } : { error });
    process.exit(FAILED);
  };
  process.on('uncaughtException', fail('the process ends: an error was not caught'));
  process.on('unhandledRejection', fail('the process ends: a rejection was not handled'));

  let signals = 0;
  const stopRequested = Promise.withResolvers<void>();
  const onSignal = () => {
    signals += 1;
    if (signals > 1) process.exit(FAILED);
    setTimeout(() => process.exit(FAILED), LAST_RESORT_MS).unref();
    stopRequested.resolve();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);

  const starting = startService(service, environment);
  starting.catch(fail('the service could not start'));
  // A signal during the start must not wait for servers that may never come.
  const running = await Promise.race([starting, stopRequested.promise]);
  if (!running) process.exit(STOPPED_BY_SIGNAL);
  await stopRequested.promise;
  await running.stop();
  process.exit(STOPPED_BY_SIGNAL);
};
