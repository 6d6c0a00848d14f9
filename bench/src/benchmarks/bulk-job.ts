import { withClient } from '@tds/servers';
import type { Bench, Benchmark, Row } from '../benchmark.ts';
import type { JobResult, JobsOptions, JobsResult, ReadOptions, ReadResult } from '../helpers/job-load.ts';
import { type Account, seedAccounts } from '../support/accounts.ts';
import { type BenchSystem, startBenchSystem } from '../support/bench-system.ts';
import { type Cpu, type CpuMeter, createCpuMeter } from '../support/cpu-meter.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { createVideos, OK, sendLoad } from '../support/load.ts';
import { measure, pick, row } from '../support/measure.ts';
import { median, percentile, sum } from '../support/statistics.ts';

const ROWS = 500;
const WARM_UP_JOBS = 4;
const JOBS_BESIDE = 5;
/** The platform's time for each answer; a transcript takes two. */
const LATENCY_MS = 100;
const ANSWERS_PER_TRANSCRIPT = 2;
/** Answers that the platform works on at a time while the ideal counts: fewer than a process requests for jobs. */
const AT_ONCE = 16;
const IDEAL_MS = (ROWS * ANSWERS_PER_TRANSCRIPT * LATENCY_MS) / AT_ONCE;
const INTERACTIVE_READS = 100;
const READERS = 100;
const CREDITS = 1_000_000;
const MS = 1_000;

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

type Kind = 'fetched' | 'cached';

/** Runs jobs of different accounts at the same time. Throws unless every row ends and costs as expected. */
const doJobs = async (
  { load, system, owners }: Stage,
  kind: Kind,
  jobs: readonly (readonly string[])[],
): Promise<JobsResult> => {
  const asks = jobs.map((videoIds, index) => ({ key: owners[index]?.key ?? '', videoIds }));
  const result = await load.ask<JobsResult>('run', { port: system.port, jobs: asks } satisfies JobsOptions);
  const isRight = ({ status, counts, charged }: JobResult) =>
    status === 'completed' && counts[kind] === ROWS && charged === (kind === 'fetched' ? ROWS : 0);
  const wrong = result.jobs.find((job) => !isRight(job));
  if (wrong) throw new Error(`a job of ${ROWS} rows that should be ${kind}: ${JSON.stringify(wrong)}`);
  return result;
};

type Cold = { readonly wallMs: number; readonly cpu: Cpu };

const cold = async (stage: Stage, meter: CpuMeter): Promise<Cold> => {
  const { result, cpu } = await meter.during(() => doJobs(stage, 'fetched', [stage.take(ROWS)]));
  const perRow = Object.entries(cpu).map(([name, micros]) => [name, micros / ROWS] as const);
  const parts = perRow.map(([name, micros]) => `${name} ${Math.round(micros)}`).join(', ');
  stage.bench.say(`  ${ROWS} cold rows in ${result.wallMs.toFixed(0)} ms: ${parts} µs each`);
  return { wallMs: result.wallMs, cpu: Object.fromEntries(perRow) };
};

const cpuMs = (cpu: Cpu): number => sum(Object.values(cpu)) / MS;

/** Milliseconds of CPU of a transcript that is read alone, while the platform answers at once. */
const coldRead = async (stage: Stage, meter: CpuMeter): Promise<number> => {
  const { platform } = stage.system;
  await platform.ask('setLatency', 0);
  const { cpu } = await meter.during(() => interactive(stage));
  await platform.ask('setLatency', LATENCY_MS);
  return cpuMs(cpu) / INTERACTIVE_READS;
};

/** After the warm-up: a process that has just started takes more idle than one that has done jobs. */
const compareCold = async (stage: Stage): Promise<Row[]> => {
  const { bench, system } = stage;
  const { platform } = system;
  const meter = await createCpuMeter(bench, system);
  await platform.ask('setAtOnce', AT_ONCE);
  const runs = await measure(bench, {
    ours: () => cold(stage, meter),
    peer: () => coldRead(stage, meter),
  });
  await platform.ask('setAtOnce', null);
  const rowMs = runs.ours.map(({ cpu }) => cpuMs(cpu));
  const names = Object.keys(runs.ours[0]?.cpu ?? {});
  const partOf = (name: string) => median(runs.ours.map(({ cpu }) => cpu[name] ?? 0));
  return [
    row(`job of ${ROWS} cold rows, beyond 1.05 times the ideal`, 'ms', {
      ours: runs.ours.map(({ wallMs }) => wallMs - 1.05 * IDEAL_MS),
      goal: { most: 300 },
    }),
    row('cold row of a job against a cold read, CPU of all processes beyond what they take idle', 'ms', {
      ours: rowMs,
      peer: runs.peer,
      goal: { most: 0.33 },
    }),
    row('cold row of a job, CPU of all processes beyond what they take idle', 'ms', {
      ours: rowMs,
      goal: { most: 3 },
      cpu: names.map((name) => `${name} ${partOf(name).toFixed(0)}`).join(' + '),
    }),
  ];
};

const objectKeysOf = async ({ bench }: Stage, { jobs: [job] }: JobsResult): Promise<string[]> => {
  const { databases } = await bench.servers();
  return withClient(databases['bulk-orchestrator']?.ownerUrl ?? '', async (client) => {
    const text = 'SELECT object_key FROM job_rows WHERE job_id = $1 ORDER BY position';
    const { rows } = await client.query<{ object_key: string }>(text, [job?.id]);
    return rows.map((row) => row.object_key);
  });
};

/** Compares hits with a script that only reads the same objects. */
const compareCached = async (stage: Stage): Promise<Row> => {
  const videoIds = stage.take(ROWS);
  const keys = await objectKeysOf(stage, await doJobs(stage, 'fetched', [videoIds]));
  const { objects } = await stage.bench.servers();
  const options: ReadOptions = { databaseUrl: objects.ownerUrl, keys };
  const hits = async () => (await doJobs(stage, 'cached', [videoIds])).wallMs;
  await hits();
  const runs = await measure(stage.bench, {
    ours: hits,
    peer: async () => (await stage.load.ask<ReadResult>('readAll', options)).wallMs,
  });
  return row(`job of ${ROWS} cached rows`, 'ms', { ...runs, goal: { most: 3 } });
};

const interactive = async (stage: Stage): Promise<number[]> => {
  const { system, readers, generator } = stage;
  const requests = stage.take(INTERACTIVE_READS).map((videoId, index) => ({
    target: `/v1/transcript?video_id=${videoId}&raw=1`,
    key: readers[index % readers.length]?.key ?? '',
  }));
  const load = { port: system.port, connections: 1, requests, status: OK, sampleEvery: 1 };
  return [...(await sendLoad(generator, [], load)).latenciesMs];
};

/** One cold read after the other, beside jobs that are renewed until it has ended. */
const besideJobs = async (stage: Stage): Promise<number[]> => {
  let isOver = false;
  const keepRunning = async () => {
    while (!isOver)
      await doJobs(
        stage,
        'fetched',
        Array.from({ length: JOBS_BESIDE }, () => stage.take(ROWS)),
      );
  };
  const running = keepRunning();
  const latencies = await interactive(stage).finally(() => {
    isOver = true;
  });
  await running;
  return latencies;
};

const compareInteractive = async (stage: Stage): Promise<Row[]> => {
  const runs = await measure(stage.bench, {
    ours: () => besideJobs(stage),
    peer: () => interactive(stage),
  });
  const beside = (part: number) => ({
    path: `interactive cold read beside ${JOBS_BESIDE} jobs, p${part * 100}`,
    ...pick(runs, (values) => percentile(values, part)),
  });
  const [{ path, ...p50 }, { path: tailPath, ...p99 }] = [beside(0.5), beside(0.99)];
  return [row(path, 'ms', p50), row(tailPath, 'ms', { ...p99, goal: { most: 2 } })];
};

export const bulkJob: Benchmark = {
  name: 'bulk-job',
  title: 'Bulk jobs over HTTP: wall time and CPU of a row, and what they leave to others',
  run: async (bench) => {
    await using system = await startBenchSystem(bench, { more: ['bulk-orchestrator'] });
    await using load = await startHelper('job-load');
    await using generator = await startHelper('http-load');
    const servers = await bench.servers();
    const owners = await seedAccounts(servers, 'paid', JOBS_BESIDE, CREDITS);
    const readers = await seedAccounts(servers, 'paid', READERS);
    const stage = { bench, system, load, generator, owners, readers, take: createVideos(1_000_000) };
    for (let job = 0; job < WARM_UP_JOBS; job += 1) await doJobs(stage, 'fetched', [stage.take(ROWS)]);
    await interactive(stage);
    await system.platform.ask('setLatency', LATENCY_MS);
    return {
      rows: [...(await compareCold(stage)), await compareCached(stage), ...(await compareInteractive(stage))],
      notes: [
        `The platform takes ${LATENCY_MS} ms over each of the ${ANSWERS_PER_TRANSCRIPT} answers of a transcript, and works on ${AT_ONCE} at a time while cold rows are measured: a job of ${ROWS} takes at least ${IDEAL_MS.toFixed(0)} ms. It begins with the request over HTTP and ends with the last event of its progress stream. Every row is fetched and charged; ${WARM_UP_JOBS} jobs before, to warm up.`,
        `CPU of a cold row: the peer is a cold read through the gateway, ${INTERACTIVE_READS} of them one after the other, while the platform answers without a delay.`,
        'Cached rows: the peer reads the same objects, one after the other.',
        `Beside jobs: reads one after the other through the gateway, beside ${JOBS_BESIDE} jobs of as many accounts; the peer is the same without jobs.`,
      ],
    };
  },
};
