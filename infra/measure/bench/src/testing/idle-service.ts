import { globSync } from 'node:fs';
import path from 'node:path';
import {
  createBodies,
  createInstruments,
  createLog,
  createMetrics,
  createPool,
  createProjections,
} from '@tds/base/internals';
import { createRedis } from '@tds/base/redis';
import type { Command, Surface } from '@tds/contracts';
import type { Backlog, Kit } from '@tds/kit';
import { environments } from '@tds/local';
import type { Context } from '@tds/messaging';
import { createMessaging } from '@tds/messaging/internals';
import { workspaceRoot } from '@tds/servers';
import type { Bench } from '../benchmark.ts';
import { NO_OUTSIDE } from '../support/service-process.ts';

export type Pool = ReturnType<typeof createPool>;
type Deps = Readonly<Record<string, unknown>>;
type Handler = {
  readonly message: Command;
  run(deps: Deps, request: object, context: Context): Promise<unknown>;
};

/** A service's own code on a database of one's choice. Nothing runs by itself, and nothing leaves it: it has no broker. */
export type IdleService = AsyncDisposable & {
  readonly surface: Surface;
  readonly pool: Pool;
  readonly deps: Deps;
  readonly schedules: Readonly<Record<string, (deps: Deps, context: Context) => Promise<void>>>;
  readonly commands: readonly Handler[];
  /** What the kit asks of the service's tables all the time. */
  readonly questions: ReadonlyMap<string, string>;
  readonly backlogs: ReadonlyMap<string, () => Promise<Backlog>>;
};

export const idleContext = (): Context => ({
  requestId: 'bench',
  accountId: null,
  signal: new AbortController().signal,
  record: { add: () => {} },
});

const noop = (): void => {};
/** Other services answer that there is nothing. */
const call = async () => new Proxy({}, { get: (_, field) => (field === 'then' ? undefined : []) });
const wakes = { wakeRelay: noop, wakeTasks: noop, wakeAll: noop };
const messaging = createMessaging({ ...wakes, hint: noop });

const isHandler = (value: unknown): value is Handler =>
  typeof value === 'object' && value !== null && 'run' in value && 'message' in value;

export const openIdleService = async (bench: Bench, service: string, url: string): Promise<IdleService> => {
  const folder = path.join(workspaceRoot, 'services', service, 'src');
  const load = (file: string) => import(path.join(folder, file));
  const environment = (await environments(bench.servers, NO_OUTSIDE))[service] ?? {};
  const log = createLog({ service, level: 'silent' });
  const metrics = createInstruments(createMetrics(service, { processMetrics: false }));
  const pool = createPool({ url, applicationName: service, log });
  const settings = { name: service, log, commandTimeoutMs: 5_000 };
  const redis = createRedis(bench.servers.redis.urlOf(service), settings);
  const stops: (() => Promise<void>)[] = [() => pool.end(), async () => redis.disconnect()];
  const [questions, backlogs] = [new Map<string, string>(), new Map<string, () => Promise<Backlog>>()];
  const { surface } = await load('surface.ts');
  const kit = {
    ...{ surface, db: pool, redis, messaging, call, log, metrics },
    objects: { delete: async () => {} },
    projections: createProjections(redis, noop),
    bodies: createBodies(redis, noop),
    onStop: (_name: string, stop: () => Promise<void>) => void stops.push(stop),
    ...{ announce: noop, onDatabaseSwapped: noop, onReady: noop },
    onDue: (schedule: string, question: string) => void questions.set(schedule, question),
    onBacklog: (what: string, read: () => Promise<Backlog>) => void backlogs.set(what, read),
  } as unknown as Kit<Surface>;
  const { createDeps } = await load('create-deps.ts');
  const deps: Deps = await createDeps(kit, environment);
  const loadAll = (...patterns: string[]): Promise<object[]> =>
    Promise.all(globSync(patterns, { cwd: folder, exclude: ['**/*.test.ts'] }).map(load));
  const modules = await loadAll('{,*/}commands.ts', 'commands/*.ts');
  const schedules = Object.assign({}, ...(await loadAll('**/{schedules,recovery,purge}.ts')));
  return {
    ...{ surface, pool, deps, questions, backlogs, schedules },
    commands: modules.flatMap((module) => Object.values(module).filter(isHandler)),
    [Symbol.asyncDispose]: async () => {
      for (const stop of stops.toReversed()) await stop();
    },
  };
};
