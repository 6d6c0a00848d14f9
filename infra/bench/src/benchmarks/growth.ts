import { type Bench, type Benchmark, type Row, repeat } from '../benchmark.ts';
import type { JobsOptions, JobsResult } from '../helpers/job-load.ts';
import { type Account, seedAccounts } from '../support/accounts.ts';
import { type BenchSystem, startBenchSystem } from '../support/bench-system.ts';
import { countDuring, countsText } from '../support/counts.ts';
import { type Helper, startHelper } from '../support/helper.ts';
import { createVideos } from '../support/load.ts';
import { startServiceProcess } from '../support/service-process.ts';

const FETCHERS = [1, 2, 4];
const JOBS = 2;
/** Cold rows for each fetcher: four for each of its places. */
const ROWS = 96;
const WARM_UP_ROWS = 24;
/** With the second, places and not cores are scarce. */
const LATENCIES_MS = [200, 1_000];
const CREDITS = 1_000_000;
const MS = 1_000;
const SERVICE = 'transcript-fetcher';
/** One fetcher's default number of places, for each of four. */
const settings = { [SERVICE]: { PLACES_FOR_JOBS: '96' } };

type Stage = {
  readonly bench: Bench;
  readonly system: BenchSystem;
  readonly load: Helper;
  readonly owners: readonly Account[];
  readonly take: (count: number) => string[];
};

const runJobs = async ({ system, load, owners, take }: Stage, rows: number): Promise<JobsResult> => {
  const jobs = owners.map(({ key }) => ({ key, videoIds: take(rows / JOBS) }));
  const result = await load.ask<JobsResult>('run', { port: system.port, jobs } satisfies JobsOptions);
  const wrong = result.jobs.find(({ counts }) => counts.fetched !== rows / JOBS);
  if (wrong) throw new Error(`a job that should have ${rows / JOBS} fetched rows: ${JSON.stringify(wrong)}`);
  return result;
};

/** The rows per second of one, two and four fetchers, for each latency of the platform. */
const grow = async (stage: Stage): Promise<readonly number[][]> => {
  const { bench, system } = stage;
  const { port, platformOrigin, platform } = system;
  await using more = new AsyncDisposableStack();
  let fetchers = 1;
  const rates: number[][] = LATENCIES_MS.map(() => []);
  for (const wanted of FETCHERS) {
    for (; fetchers < wanted; fetchers += 1)
      more.use(
        await startServiceProcess(bench, SERVICE, { port, platformOrigin, settings: settings[SERVICE] }),
      );
    await platform.ask('setLatency', 0);
    await runJobs(stage, WARM_UP_ROWS * wanted);
    for (const [at, latencyMs] of LATENCIES_MS.entries()) {
      await platform.ask('setLatency', latencyMs);
      const { wallMs } = await runJobs(stage, ROWS * wanted);
      const perSecond = (ROWS * wanted * MS) / wallMs;
      rates[at]?.push(perSecond);
      bench.say(`  ${wanted} fetchers, ${latencyMs} ms an answer: ${perSecond.toFixed(1)} rows a second`);
    }
  }
  return rates;
};

export const benchmark: Benchmark = {
  title: 'Cold rows a second with one, two and four fetchers',
  run: async (bench) => {
    await using system = await startBenchSystem(bench, { more: ['bulk-orchestrator'], settings });
    await using load = await startHelper('job-load');
    const owners = await seedAccounts(bench.servers, 'paid', JOBS, CREDITS);
    const stage = { bench, system, load, owners, take: createVideos('growth') };
    await runJobs(stage, ROWS);
    const counts = await countDuring(bench, system, ROWS, () => runJobs(stage, ROWS));
    const rounds = await repeat(bench.rounds, () => grow(stage));
    const rows = LATENCIES_MS.flatMap((latencyMs, of) =>
      FETCHERS.slice(1).map((fetchers, at): Row => {
        const ours = rounds.map((rates) => rates[of]?.[at + 1] ?? 0);
        const peer = rounds.map((rates) => (rates[of]?.[0] ?? 0) * fetchers);
        const path = `${latencyMs} ms an answer: ${fetchers} fetchers against ${fetchers} times one`;
        return { path, unit: 'rows/s', ours, peer, goal: { least: 0.9 } };
      }),
    );
    return {
      rows,
      notes: [
        countsText('A cold row of a job', counts),
        `${JOBS} jobs with ${ROWS} cold rows for each fetcher, at each latency of the platform. A fetcher has 24 places; all together have 96.`,
      ],
    };
  },
};
