import { withClient } from '@tds/servers';
import { type Bench, type Benchmark, measure, percentile, type Row } from '../benchmark.ts';
import type { TaskLine } from '../helpers/task-worker.ts';
import { benchEnvironment, createBenchDatabase, WORK_MS } from '../support/bench-service.ts';
import type { PaceOptions } from '../support/drive.ts';
import { type Helper, startHelper } from '../support/helper.ts';

const FINISHED = 1_000_000;
const PER_SECOND = 20;
const JOBS: TaskLine = { partitions: 3, each: 800, isStuck: false };
const STUCK: TaskLine = { partitions: 1, each: 10_000, isStuck: true };

/** A million finished tasks, which a snapshot older than their end sees while `work` runs. */
const besideFinished = async <T>(ownerUrl: string, work: () => Promise<T>): Promise<T> => {
  const write = (sql: string, values: unknown[] = []) =>
    withClient(ownerUrl, (client) => client.query(sql, values));
  await write(
    `INSERT INTO messaging.tasks (name, payload, due_at)
     SELECT 'bench-work', '{"n": 0, "isStuck": false}', clock_timestamp() - interval '1 minute' FROM generate_series(1, $1::int) AS n`,
    [FINISHED],
  );
  return withClient(ownerUrl, async (reader) => {
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await reader.query('SELECT FROM messaging.tasks LIMIT 1');
    await write(`UPDATE messaging.tasks SET state = 'done', finished_at = clock_timestamp()`);
    return work();
  });
};

const measureClaims = async (bench: Bench, full: Helper, empty: Helper): Promise<Row> => {
  const p50 = async (helper: Helper): Promise<number> =>
    percentile(await helper.ask<Float64Array>('claimed', PER_SECOND * bench.seconds), 0.5);
  // A process looks over everything once, when it starts.
  for (const helper of [full, empty]) await helper.ask('claimed', PER_SECOND);
  const runs = await measure(bench, { ours: () => p50(full), peer: () => p50(empty) });
  const path = 'task claimed beside 1,000,000 finished ones and an old snapshot, p50';
  return { path, unit: 'ms', ...runs, goal: { most: 2 } };
};

/** The 99th percentile of an interactive task's time, beside a line of other tasks and alone. */
const measureBeside = async (bench: Bench, helper: Helper, name: string, line: TaskLine): Promise<Row> => {
  const paced: PaceOptions = { count: PER_SECOND * bench.seconds, perSecond: PER_SECOND };
  const p99 = async () => percentile(await helper.ask<Float64Array>('interactive', paced), 0.99);
  await p99();
  const runs = await measure(bench, {
    ours: async () => {
      await helper.ask('line', line);
      const found = await p99();
      if ((await helper.ask<number>('clear')) === 0) throw new Error(`${name}: the line ended too early`);
      return found;
    },
    peer: p99,
  });
  return { path: `interactive task beside ${name}, p99`, unit: 'ms', ...runs, goal: { most: 2 } };
};

export const benchmark: Benchmark = {
  title: 'Tasks, beside finished, waiting and stuck ones',
  run: async (bench) => {
    const [none, million] = [
      await createBenchDatabase(bench, 'bench-tasks-empty'),
      await createBenchDatabase(bench, 'bench-tasks-full'),
    ];
    const start = (url: string) =>
      startHelper('task-worker', { ...benchEnvironment(bench), DATABASE_URL: url });
    return besideFinished(million.ownerUrl, async () => {
      await using empty = await start(none.url);
      await using full = await start(million.url);
      return {
        rows: [
          await measureClaims(bench, full, empty),
          await measureBeside(bench, empty, '3 jobs of 800', JOBS),
          await measureBeside(bench, empty, 'a partition of 10,000 stuck ones', STUCK),
        ],
        notes: [
          'Claims: from the commit of a task to its begin, one after the other; peer: the same on empty tables.',
          `Interactive: from the request to the end of the task, ${WORK_MS} ms of it in the handler, ${PER_SECOND} per second; peer: the same process without the line.`,
        ],
      };
    });
  },
};
