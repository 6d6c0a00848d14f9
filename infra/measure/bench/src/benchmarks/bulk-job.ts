import { type Bench, type Benchmark, measure, type Row, repeat, sum } from '../benchmark.ts';
import type { JobsOptions, JobsResult, ReadOptions } from '../helpers/job-load.ts';
import { type Account, seedAccounts } from '../support/accounts.ts';
import { type BenchSystem, startBenchSystem } from '../support/bench-system.ts';
import { cpuText, createCpuMeter, medianCpu } from '../support/cpu-meter.ts';
import { queryAs } from '../support/databases.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { createVideos, OK, sendLoad } from '../support/load.ts';

const ROWS = 500;
const WARM_UP_JOBS = 2;
const JOBS_BESIDE = 5;
const ROWS_BESIDE = 100;
/** The platform's time for each answer. */
const LATENCY_MS = 100;
/** Answers that the platform works on at a time while the ideal counts: fewer than a process requests for jobs. */
const MAX_CONCURRENT_ANSWERS = 16;
/** The platform's own time for some answers. */
const idealMs = (answers: number): number => (answers * LATENCY_MS) / MAX_CONCURRENT_ANSWERS;
const INTERACTIVE_READS = 100;
const CALLERS = 4;
const READERS = 100;
const CREDITS = 1_000_000;
const MICROS_PER_MS = 1_000;
const OBJECT_KEYS =
  "SELECT delivery ->> 'object_key' AS object_key FROM job_rows WHERE job_id = $1 ORDER BY position";

type Stage = {
  readonly bench: Bench;
  readonly system: BenchSystem;
  readonly load: Helper;
  readonly generator: Helper;
  readonly owners: readonly Account[];
  readonly readers: readonly Account[];
  /** Returns videos that no request has named yet. */
  take(count: number): string[];
};

/** Runs jobs of different accounts at the same time. */
const runJobs = (
  { load, system, owners }: Stage,
  kind: JobsOptions['kind'],
  jobs: readonly (readonly string[])[],
): Promise<JobsResult> => {
  const requests = jobs.map((videoIds, index) => ({ key: owners[index]?.key ?? '', videoIds }));
  return load.ask('run', { port: system.port, kind, jobs: requests } satisfies JobsOptions);
};

/** After the warm-up: a process that has just started takes more idle than one that has done jobs. */
const measureCold = async (stage: Stage): Promise<Row[]> => {
  const { bench, system } = stage;
  const meter = await createCpuMeter(bench, system);
  await system.platform.ask('setAtOnce', MAX_CONCURRENT_ANSWERS);
  const runJob = async () => {
    const before = await system.platform.ask<number>('requests');
    const { wallMs } = await runJobs(stage, 'fetched', [stage.take(ROWS)]);
    return { wallMs, answers: (await system.platform.ask<number>('requests')) - before };
  };
  const runs = await repeat(bench.rounds, () => meter.during(runJob));
  await system.platform.ask('setAtOnce', null);
  return [
    {
      ...{ path: `job of ${ROWS} cold rows, beyond 1.05 times the ideal`, unit: 'ms', goal: { max: 300 } },
      ours: runs.map(({ result }) => result.wallMs - 1.05 * idealMs(result.answers)),
    },
    {
      ...{ path: 'platform requests of a cold row', unit: '', goal: { max: 2.05 } },
      ours: runs.map(({ result }) => result.answers / ROWS),
    },
    {
      path: 'cold row of a job, CPU of all processes beyond what they take idle',
      ...{ unit: 'ms', goal: { max: 5 } },
      ours: runs.map(({ cpu }) => sum(Object.values(cpu)) / MICROS_PER_MS / ROWS),
      cpu: cpuText(medianCpu(runs.map(({ cpu }) => cpu)), ROWS),
    },
  ];
};

/** Compares hits with a script that only reads the same objects. */
const compareCached = async (stage: Stage, videoIds: readonly string[]): Promise<Row> => {
  const { bench, load } = stage;
  const hits = () => runJobs(stage, 'cached', [videoIds]);
  const { ids } = await hits();
  const objectRows = await queryAs<{ object_key: string }>(
    bench.servers,
    'bulk-orchestrator',
    OBJECT_KEYS,
    ids,
  );
  const keys = objectRows.map((row) => row.object_key);
  const options: ReadOptions = { databaseUrl: bench.servers.objects.ownerUrl, keys };
  const runs = await measure(bench, {
    ours: async () => (await hits()).wallMs,
    peer: () => load.ask<number>('readAll', options),
  });
  return { path: `job of ${ROWS} cached rows`, unit: 'ms', ...runs, goal: { max: 3 } };
};

const coldReads = async (stage: Stage): Promise<number> => {
  const { system, readers, generator } = stage;
  const requests = stage.take(INTERACTIVE_READS).map((videoId, index) => ({
    target: `/v1/transcript?video_id=${videoId}&raw=1`,
    key: readers[index % readers.length]?.key ?? '',
  }));
  const load = { port: system.port, connections: CALLERS, requests, status: OK, sampleEvery: 1 };
  return (await sendLoad(generator, {}, load)).p99Ms;
};

/** Cold reads of a few callers, beside jobs that are renewed until the reads have ended. */
const besideJobs = async (stage: Stage): Promise<number> => {
  let isOver = false;
  const keepRunning = async () => {
    while (!isOver) {
      const jobs = Array.from({ length: JOBS_BESIDE }, () => stage.take(ROWS_BESIDE));
      await runJobs(stage, 'fetched', jobs);
    }
  };
  const running = keepRunning();
  const p99 = await coldReads(stage).finally(() => {
    isOver = true;
  });
  await running;
  return p99;
};

const compareBeside = async (stage: Stage): Promise<Row> => {
  const runs = await measure(stage.bench, { ours: () => besideJobs(stage), peer: () => coldReads(stage) });
  const path = `interactive cold read beside ${JOBS_BESIDE} jobs, p99`;
  return { path, unit: 'ms', ...runs, goal: { max: 2 } };
};

export const benchmark: Benchmark = {
  title: 'Bulk jobs over HTTP: wall time and CPU of a row, and what they leave to others',
  run: async (bench) => {
    await using system = await startBenchSystem(bench, {
      extraServices: ['search', 'bulk-orchestrator'],
      settings: { search: { PLATFORM_DATA_API_KEY: 'bench' } },
    });
    await using load = await startHelper('job-load');
    await using generator = await startHelper('http-load');
    const owners = await seedAccounts(bench.servers, 'paid', JOBS_BESIDE, CREDITS);
    const readers = await seedAccounts(bench.servers, 'paid', READERS);
    const stage = { bench, system, load, generator, owners, readers, take: createVideos('bulkJob') };
    for (let job = 0; job < WARM_UP_JOBS; job += 1) await runJobs(stage, 'fetched', [stage.take(ROWS)]);
    const videoIds = stage.take(ROWS);
    await runJobs(stage, 'fetched', [videoIds]);
    await coldReads(stage);
    await system.platform.ask('setLatency', LATENCY_MS);
    return {
      rows: [...(await measureCold(stage)), await compareCached(stage, videoIds), await compareBeside(stage)],
      notes: [
        `The platform takes ${LATENCY_MS} ms over each answer, and works on ${MAX_CONCURRENT_ANSWERS} at a time while cold rows are measured: the ideal is its own time for the requests that a job made, ${idealMs(2 * ROWS).toFixed(0)} ms for two a row. Search asks the Data API for fifty dates at a time; without a key a row takes three requests. It begins with the request over HTTP and ends with the last event of its progress stream. Every row is fetched and charged; ${WARM_UP_JOBS} jobs before, to warm up.`,
        'Cached rows: the peer reads the same objects, one after the other.',
        `Beside jobs: ${INTERACTIVE_READS} reads of ${CALLERS} callers through the gateway, beside ${JOBS_BESIDE} jobs of ${ROWS_BESIDE} rows and as many accounts; the peer is the same without jobs.`,
      ],
    };
  },
};
