import { withClient } from '@tds/servers';
import type { Bench, Benchmark, Row } from '../benchmark.ts';
import { type PaceOptions, type TaskLine, WORK_MS } from '../support/bench-contract.ts';
import { benchEnvironment, createBenchDatabase, type Urls } from '../support/bench-database.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { measure, row } from '../support/measure.ts';
import { percentile } from '../support/statistics.ts';

const FINISHED = 1_000_000;
const PER_SECOND = 20;
const JOBS: TaskLine = { partitions: 3, each: 800, isStuck: false };
const STUCK: TaskLine = { partitions: 1, each: 10_000, isStuck: true };

/** A million finished tasks, which a snapshot older than their end sees while `work` runs. */
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

const measureClaims = async (bench: Bench, full: Helper, empty: Helper): Promise<Row> => {
  const p50 = async (helper: Helper): Promise<number> =>
    percentile(await helper.ask<Float64Array>('claimed', PER_SECOND * bench.seconds), 0.5);
  // A process looks over everything once, when it starts.
  for (const helper of [full, empty]) await helper.ask('claimed', PER_SECOND);
  const runs = await measure(bench, { ours: () => p50(full), peer: () => p50(empty) });
  const path = 'task claimed beside 1,000,000 finished ones and an old snapshot, p50';
  return row(path, 'ms', { ...runs, goal: { most: 2 } });
};

/** The 99th percentile of an interactive task's time, beside a line of other tasks and alone. */
const measureBeside = async (bench: Bench, helper: Helper, path: string, line: TaskLine): Promise<Row> => {
  const paced: PaceOptions = { count: PER_SECOND * bench.seconds, perSecond: PER_SECOND };
  const p99 = async () => percentile(await helper.ask<Float64Array>('interactive', paced), 0.99);
  await p99();
  const runs = await measure(bench, {
    ours: async () => {
      await helper.ask('line', line);
      const found = await p99();
      if ((await helper.ask<number>('clear')) === 0) throw new Error(`${path}: the line ended too early`);
      return found;
    },
    peer: p99,
  });
  return row(path, 'ms', { ...runs, goal: { most: 2 } });
};

export const tasks: Benchmark = {
  name: 'tasks',
  title: 'Tasks, beside what is done, what stands in line and what is stuck',
  run: async (bench) => {
    const environment = await benchEnvironment(bench);
    const emptyUrls = await createBenchDatabase(bench, 'bench-tasks-empty');
    const fullUrls = await createBenchDatabase(bench, 'bench-tasks-full');
    const start = ({ url }: Urls) => startHelper('task-worker', { ...environment, DATABASE_URL: url });
    return besideFinished(fullUrls, async () => {
      await using empty = await start(emptyUrls);
      await using full = await start(fullUrls);
      return {
        rows: [
          await measureClaims(bench, full, empty),
          await measureBeside(bench, empty, 'interactive task beside 3 jobs of 800, p99', JOBS),
          await measureBeside(
            bench,
            empty,
            'interactive task beside a partition of 10,000 stuck ones, p99',
            STUCK,
          ),
        ],
        notes: [
          'Claims: from the commit of a task to its begin, one after the other; peer: the same on empty tables.',
          `Interactive: from the request to the end of the task, ${WORK_MS} ms of it in the handler, ${PER_SECOND} per second; peer: the same process without the line.`,
        ],
      };
    });
  },
};
