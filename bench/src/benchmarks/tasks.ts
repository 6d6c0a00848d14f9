import { createServiceDatabases, kitPrismaDir, migrate, withClient } from '@tds/servers';
import type { Bench, Benchmark, Outcome, Row } from '../benchmark.ts';
import { benchSurface } from '../support/bench-surface.ts';
import { type Asked, type Line, WORK_MS } from '../support/bench-task.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { interleave } from '../support/rounds.ts';
import { percentile } from '../support/statistics.ts';

const FINISHED = 1_000_000;
const PER_SECOND = 20;
const CLAIMS_PER_SECOND = 20;
const JOBS: Line = { partitions: 3, each: 800, isStuck: false };
const STUCK: Line = { partitions: 1, each: 10_000, isStuck: true };
const EMPTY = 'bench-tasks-empty';
const FULL = 'bench-tasks-full';

type Urls = { readonly url: string; readonly ownerUrl: string };

/** A database with the kit's own tables and nothing else. */
const prepareDatabase = async (bench: Bench, name: string): Promise<Urls> => {
  const { postgres, secretOf } = await bench.servers();
  const created = (await createServiceDatabases(postgres.url, [name], secretOf))[name];
  if (!created) throw new Error(`${name} was not created`);
  await migrate({ databaseUrl: created.ownerUrl, prismaDirs: [kitPrismaDir] });
  return created;
};

/** A million tasks that are done, which whoever runs `work` still sees as they were before. */
const besideFinished = async <T>({ ownerUrl }: Urls, work: () => Promise<T>): Promise<T> => {
  await withClient(ownerUrl, (client) =>
    client.query(
      `INSERT INTO messaging.tasks (name, payload, due_at)
       SELECT 'bench-work', '{"n": 0, "isStuck": false}', clock_timestamp() - interval '1 minute' FROM generate_series(1, $1::int) AS n`,
      [FINISHED],
    ),
  );
  return withClient(ownerUrl, async (reader) => {
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await reader.query('SELECT FROM messaging.tasks LIMIT 1');
    await withClient(ownerUrl, async (client) => {
      await client.query(`UPDATE messaging.tasks SET state = 'done', finished_at = clock_timestamp()`);
    });
    return work();
  });
};

type Workers = { readonly empty: Helper; readonly full: Helper };

const measureClaims = async (bench: Bench, { empty, full }: Workers): Promise<Row> => {
  const p50 = async (helper: Helper): Promise<number> =>
    percentile(await helper.ask<Float64Array>('claimed', CLAIMS_PER_SECOND * bench.seconds), 0.5);
  // A process looks over everything once, when it starts.
  for (const helper of [full, empty]) await helper.ask('claimed', CLAIMS_PER_SECOND);
  const runs = await interleave(bench.rounds, { ours: () => p50(full), peer: () => p50(empty) });
  return {
    path: 'task claimed beside 1,000,000 finished ones and an old snapshot, p50',
    unit: 'ms',
    ...runs,
    goal: { most: 2 },
  };
};

/** The 99th percentile of what somebody waits for, beside a line of other work and with nothing else to do. */
const measureBeside = async (bench: Bench, helper: Helper, path: string, line: Line): Promise<Row> => {
  const asked: Asked = { count: PER_SECOND * bench.seconds, perSecond: PER_SECOND };
  const p99 = async () => percentile(await helper.ask<Float64Array>('interactive', asked), 0.99);
  await p99();
  const runs = await interleave(bench.rounds, {
    ours: async () => {
      await helper.ask('line', line);
      const found = await p99();
      if ((await helper.ask<number>('clear')) === 0) throw new Error(`${path}: the line came to its end`);
      return found;
    },
    peer: p99,
  });
  return { path, unit: 'ms', ...runs, goal: { most: 2 } };
};

const measure = async (bench: Bench, urls: { empty: Urls; full: Urls }): Promise<Outcome> => {
  const { nats, redis } = await bench.servers();
  const started: Helper[] = [];
  const start = async ({ url }: Urls): Promise<Helper> => {
    const environment = {
      NATS_URL: nats.servers,
      NATS_NKEY_SEED: nats.seedOf(benchSurface.name),
      REDIS_URL: redis.urlOf(benchSurface.name),
      LOG_LEVEL: 'warn',
    };
    const helper = await startHelper('task-worker', { ...environment, DATABASE_URL: url });
    started.push(helper);
    return helper;
  };
  try {
    const workers = { empty: await start(urls.empty), full: await start(urls.full) };
    const beside = (path: string, line: Line) => measureBeside(bench, workers.empty, path, line);
    return {
      rows: [
        await measureClaims(bench, workers),
        await beside('interactive task beside 3 jobs of 800, p99', JOBS),
        await beside('interactive task beside a partition of 10,000 stuck ones, p99', STUCK),
      ],
      notes: [
        'Claims: from the commit of a task to its begin, one after the other; peer: the same on empty tables.',
        `Interactive: from being asked for to having been done, ${WORK_MS} ms of it in the handler, ${PER_SECOND} per second; peer: the same process without the line.`,
      ],
    };
  } finally {
    for (const helper of started.reverse()) await helper.stop();
  }
};

const run = async (bench: Bench): Promise<Outcome> => {
  const [empty, full] = [await prepareDatabase(bench, EMPTY), await prepareDatabase(bench, FULL)];
  return besideFinished(full, () => measure(bench, { empty, full }));
};

export const tasks: Benchmark = {
  name: 'tasks',
  title: 'Tasks, beside what is done, what stands in line and what is stuck',
  run,
};
