import { setTimeout as delay } from 'node:timers/promises';
import { loadVideoId } from '@tds/platform-simulator';
import { type Bench, type Benchmark, type Row, repeat, sum } from '../benchmark.ts';
import type { JobsOptions, JobsResult } from '../helpers/job-load.ts';
import { type Account, seedAccounts } from '../support/accounts.ts';
import { type BenchSystem, startBenchSystem } from '../support/bench-system.ts';
import { type CpuMeter, createCpuMeter } from '../support/cpu-meter.ts';
import { queryAs, until } from '../support/databases.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { FIRST_VIDEO } from '../support/load.ts';
import { addPausedJobs, deleteLines, fillLines } from '../support/many-lines.ts';

const MANY = { accounts: 200, jobs: 1_000, rows: 100, firstVideo: FIRST_VIDEO.manyJobs } as const;
const PAUSED_JOBS = 10_000;
const SMALL_JOB = 8;
const LATENCY_MS = 100;
/** Rows of jobs that are fetched at a time. */
const PLACES = 24;
const BUSY = { everyMs: 100, withinMs: 60_000 };
const FIRST_SWEEPS_MS = 15_000;
const MICROS_PER_MS_AND_PERCENT = 10;

type Stage = {
  readonly bench: Bench;
  readonly system: BenchSystem;
  readonly load: Helper;
  /** Accounts without an earlier request. */
  readonly strangers: Account[];
};

const videosFrom = (first: number): string[] =>
  Array.from({ length: SMALL_JOB }, (_, index) => loadVideoId(first + index));

const smallJob = async (stage: Stage, kind: JobsOptions['kind'], first: number) => {
  const stranger = stage.strangers.pop();
  if (!stranger) throw new Error('there are no strangers left');
  const jobs = [{ key: stranger.key, videoIds: videosFrom(first) }];
  const options = { port: stage.system.port, kind, jobs } satisfies JobsOptions;
  return stage.load.ask<JobsResult>('run', options);
};

/** CPU that 10,000 jobs that wait for credits add to the system, in percent of a core. */
const pausedCost = async ({ bench }: Stage, meter: CpuMeter): Promise<number[]> => {
  await addPausedJobs(bench.servers, PAUSED_JOBS);
  const forMs = Math.max(bench.seconds, 6) * 1_000;
  return repeat(bench.rounds, async () => {
    const { cpu } = await meter.during(() => delay(forMs));
    return sum(Object.values(cpu)) / (forMs * MICROS_PER_MS_AND_PERCENT);
  });
};

const FETCHING = `SELECT count(*)::int AS count FROM operations WHERE state = 'fetching'`;

const untilBusy = ({ bench }: Stage): Promise<void> =>
  until(async () => {
    const [open] = await queryAs<{ count: number }>(bench.servers, 'transcript-fetcher', FETCHING);
    return (open?.count ?? 0) > PLACES / 2 ? null : 'no row of the many jobs begins';
  }, BUSY);

const PASSED = `
  SELECT count(*)::int AS passed FROM fetches WHERE begun_at >= to_timestamp($2::float8 / 1000) AND begun_at < (
    SELECT min(f.begun_at) FROM operations AS o JOIN fetches AS f ON f.id = o.fetch_id WHERE o.line_id = $1)`;

/** The number of rows of others that began between the answer to a newcomer's job and its first row. */
const passedBy = async ({ bench }: Stage, { ids, answeredAt }: JobsResult): Promise<number> => {
  const values = [...ids, ...answeredAt];
  const found = await queryAs<{ passed: number }>(bench.servers, 'transcript-fetcher', PASSED, values);
  return found[0]?.passed ?? Number.NaN;
};

const besideMany = async (stage: Stage): Promise<Row[]> => {
  const { bench } = stage;
  await smallJob(stage, 'fetched', FIRST_VIDEO.smallJobs);
  await fillLines(bench.servers, MANY);
  await untilBusy(stage);
  const cachedMs: number[] = [];
  const passed: number[] = [];
  for (let round = 1; round <= bench.rounds; round += 1) {
    cachedMs.push((await smallJob(stage, 'cached', FIRST_VIDEO.smallJobs)).wallMs);
    const job = await smallJob(stage, 'fetched', FIRST_VIDEO.smallJobs + round * SMALL_JOB);
    passed.push(await passedBy(stage, job));
  }
  const beside = `beside ${MANY.jobs} jobs of ${MANY.rows} cold rows`;
  return [
    {
      ...{ path: `job of ${SMALL_JOB} cached rows ${beside}`, unit: 'ms' },
      ...{ ours: cachedMs, goal: { most: 2_000 } },
    },
    {
      ...{ path: `rows that begin before a newcomer's first, ${beside}`, unit: 'rows' },
      ...{ ours: passed, goal: { most: PLACES } },
    },
  ];
};

export const benchmark: Benchmark = {
  title: 'A stranger beside a thousand jobs, and ten thousand that wait',
  run: async (bench) => {
    await using parts = new AsyncDisposableStack();
    parts.defer(() => deleteLines(bench.servers));
    await using system = await startBenchSystem(bench, { more: ['bulk-orchestrator'] });
    await using load = await startHelper('job-load');
    const strangers = await seedAccounts(bench.servers, 'paid', 1 + 2 * bench.rounds, 1_000);
    const stage = { bench, system, load, strangers };
    await delay(FIRST_SWEEPS_MS);
    const paused = await pausedCost(stage, await createCpuMeter(bench, system));
    await system.platform.ask('setLatency', LATENCY_MS);
    return {
      rows: [
        ...(await besideMany(stage)),
        {
          path: `${PAUSED_JOBS} jobs that wait for credits, beyond the system without them`,
          ...{ unit: '% of a core', ours: paused, goal: { most: 1 } },
        },
      ],
      notes: [
        `${MANY.jobs} jobs of ${MANY.accounts} accounts with ${MANY.rows * MANY.jobs} rows wait for their turn in the fetcher's tables and are fetched during the run, ${PLACES} at a time; the platform takes ${LATENCY_MS} ms over each of the two answers of a transcript. Strangers have no other job; their charges are checked.`,
      ],
    };
  },
};
