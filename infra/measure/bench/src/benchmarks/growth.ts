import { type Bench, type Benchmark, median, type Row, repeat } from '../benchmark.ts';
import type { JobsOptions, JobsResult } from '../helpers/job-load.ts';
import { type Account, seedAccounts } from '../support/accounts.ts';
import { type BenchSystem, startBenchSystem } from '../support/bench-system.ts';
import { CORES, idleMs } from '../support/cores.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { createVideos } from '../support/load.ts';
import { startServiceProcess } from '../support/service-process.ts';

const FETCHERS = [1, 2, 4];
const JOBS = 2;
/** Cold rows for each fetcher: three for each of its places. */
const ROWS = 72;
const WARM_UP_ROWS = 24;
/** With the second, places and not cores are scarce. */
const LATENCIES_MS = [200, 1_000];
/** With this part of their time in use, work waits for cores, and more fetchers cannot help. */
const CORES_FULL = 0.75;
const CREDITS = 1_000_000;
const MS = 1_000;
const SERVICE = 'transcript-fetcher';
/** One fetcher's default number of places, for each of four. */
const settings = { [SERVICE]: { SLOTS_FOR_JOBS: '96' } };

type Stage = {
  readonly bench: Bench;
  readonly system: BenchSystem;
  readonly load: Helper;
  readonly owners: readonly Account[];
  readonly take: (count: number) => string[];
};

const runJobs = ({ system, load, owners, take }: Stage, rows: number): Promise<JobsResult> => {
  const jobs = owners.map(({ key }) => ({ key, videoIds: take(rows / JOBS) }));
  return load.ask('run', { port: system.port, kind: 'fetched', jobs } satisfies JobsOptions);
};

type Rate = { readonly perSecond: number; readonly coresUsed: number };

/** The rates of one, two and four fetchers, for each latency of the platform. */
const grow = async (stage: Stage): Promise<readonly Rate[][]> => {
  const { bench, system } = stage;
  const { port, platformOrigin, platform } = system;
  await using extraFetchers = new AsyncDisposableStack();
  let fetchers = 1;
  const rates: Rate[][] = LATENCIES_MS.map(() => []);
  for (const target of FETCHERS) {
    for (; fetchers < target; fetchers += 1)
      extraFetchers.use(
        await startServiceProcess(bench, SERVICE, { port, platformOrigin, settings: settings[SERVICE] }),
      );
    await platform.ask('setLatency', 0);
    await runJobs(stage, WARM_UP_ROWS * target);
    for (const [at, latencyMs] of LATENCIES_MS.entries()) {
      await platform.ask('spreadLatency', latencyMs);
      const idleBefore = idleMs();
      const { wallMs } = await runJobs(stage, ROWS * target);
      const coresUsed = 1 - (idleMs() - idleBefore) / (wallMs * CORES);
      rates[at]?.push({ perSecond: (ROWS * target * MS) / wallMs, coresUsed });
    }
  }
  return rates;
};

export const benchmark: Benchmark = {
  title: 'Cold rows a second with one, two and four fetchers',
  run: async (bench) => {
    await using system = await startBenchSystem(bench, { extraServices: ['bulk-orchestrator'], settings });
    await using load = await startHelper('job-load');
    const owners = await seedAccounts(bench.servers, 'paid', JOBS, CREDITS);
    const stage = { bench, system, load, owners, take: createVideos('growth') };
    await runJobs(stage, ROWS);
    const rounds = await repeat(bench.rounds, () => grow(stage));
    const rows = LATENCIES_MS.flatMap((latencyMs, latencyIndex) =>
      FETCHERS.slice(1).map((fetchers, at): Row => {
        const grown = rounds.map((rates) => rates[latencyIndex]?.[at + 1] as Rate);
        const ours = grown.map(({ perSecond }) => perSecond);
        const peer = rounds.map((rates) => (rates[latencyIndex]?.[0]?.perSecond ?? 0) * fetchers);
        const used = median(grown.map(({ coresUsed }) => coresUsed));
        const against = `${fetchers} fetchers against ${fetchers} times one`;
        const path = `${latencyMs} ms an answer: ${against}, cores ${(100 * used).toFixed(0)} % used`;
        return { path, unit: 'rows/s', ours, peer, goal: used < CORES_FULL ? { min: 0.9 } : null };
      }),
    );
    return {
      rows,
      notes: [
        `${JOBS} jobs with ${ROWS} cold rows for each fetcher, at each latency of the platform, which varies by half. A fetcher has 24 places; all together have 96. The goal applies until ${100 * CORES_FULL} % of the cores are used.`,
      ],
    };
  },
};
