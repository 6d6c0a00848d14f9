import type { SqlExecutor, Transactional } from '@tds/base';
import { poolClient } from '@tds/base/testing';
import type { Surface } from '@tds/contracts';
import {
  copyDatabase,
  createTestDatabase,
  type DatabaseCopy,
  sharedRedisUrl,
  type TestDatabase,
  testTimeouts,
} from '@tds/test-kit';
import pg from 'pg';
import { startService } from '../run/run-service.ts';
import type { Handlers, Kit } from '../service.ts';

/** A running service with its database and addresses, for tests. */
export type TestService<S extends Surface> = {
  readonly kit: Kit<S>;
  /** Runs a statement without the kit. */
  sql<Row = Record<string, unknown>>(text: string, ...values: unknown[]): Promise<Row[]>;
  readonly client: Transactional<SqlExecutor> & SqlExecutor;
  readonly addresses: Readonly<Record<string, string>>;
  stop(): Promise<void>;
};

type TestServiceOptions<S extends Surface> = {
  readonly surface: S;
  readonly handlers: Partial<Handlers<S>>;
  readonly natsUrl: string;
  readonly databaseUrl?: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** SQL for the due time, by schedule. */
  readonly dueQueries?: Readonly<Record<string, string>>;
};

const createEnvironment = async (
  options: Pick<TestServiceOptions<Surface>, 'natsUrl' | 'environment'>,
  databaseUrl: string,
): Promise<NodeJS.ProcessEnv> => ({
  DATABASE_URL: databaseUrl,
  REDIS_URL: await sharedRedisUrl(),
  NATS_URL: options.natsUrl,
  LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
  ...testTimeouts,
  STOP_WITHIN: '1500ms',
  ...options.environment,
});

const keepDatabases = () => {
  const kept = new Map<string, Promise<TestDatabase>>();
  return {
    /** Of a database that `stopAll` keeps, by name: for files whose tests do not mind what others left there. */
    keptUrl: async (name: string): Promise<string> => {
      const database = kept.get(name) ?? createTestDatabase('messaging');
      kept.set(name, database);
      return (await database).url;
    },
    /** Belongs into afterAll of a file that keeps databases. */
    dropKept: async (): Promise<void> => {
      for (const database of kept.values()) await (await database).drop();
      kept.clear();
    },
  };
};

/** Started parts of one test file; `stopAll` belongs into afterEach. */
export const createTestBench = () => {
  const stops: (() => Promise<void>)[] = [];
  const database = async (): Promise<TestDatabase> => {
    const created = await createTestDatabase('messaging');
    stops.push(created.drop);
    return created;
  };
  const createCopy = async (original: TestDatabase): Promise<DatabaseCopy> => {
    const copy = await copyDatabase(original);
    stops.push(copy.drop);
    return copy;
  };
  const start = async <S extends Surface>(options: TestServiceOptions<S>): Promise<TestService<S>> => {
    const databaseUrl = options.databaseUrl ?? (await database()).url;
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 3 });
    // The database is dropped while connections are still closing.
    pool.on('error', () => {});
    let kit: Kit<S> | undefined;
    const none = { commands: {}, tasks: {}, subscriptions: {}, broadcasts: {}, schedules: {} };
    const running = await startService(
      {
        surface: options.surface,
        start: async (provided: Kit<S>) => {
          kit = provided;
          for (const [schedule, query] of Object.entries(options.dueQueries ?? {}))
            provided.onDue(schedule as never, query);
          return { ...none, ...options.handlers };
        },
      },
      await createEnvironment(options, databaseUrl),
      { processMetrics: false },
    );
    if (!kit) throw new Error('the service was not started');
    let stopping: Promise<void> | undefined;
    const stop = () => {
      stopping ??= running.stop().then(() => pool.end());
      return stopping;
    };
    stops.push(stop);
    return {
      kit,
      client: poolClient(kit.db),
      addresses: running.addresses,
      sql: async <Row>(text: string, ...values: unknown[]) => (await pool.query(text, values)).rows as Row[],
      stop,
    };
  };
  return {
    database,
    ...keepDatabases(),
    copyOf: createCopy,
    start,
    /** Newest first: services before the databases that they use. */
    stopAll: async () => {
      for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
    },
  };
};
