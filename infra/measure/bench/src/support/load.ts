import { tierLimits } from '@tds/contracts';
import { loadVideoId } from '@tds/simulators/platform';
import { type Bench, pick, type Rounds, type Row, WARM_UP_SECONDS } from '../benchmark.ts';
import type { LoadOptions, LoadResult } from '../helpers/http-load.ts';
import { type Cpu, cpuText, medianCpu } from './cpu-meter.ts';
import type { Helper } from './helper.ts';
import { cpuMicros } from './procfs.ts';

/** A load's result, and the microseconds of CPU per request of each process. */
export type MeasuredLoad = LoadResult & { readonly cpu: Cpu };
export type Pids = Readonly<Record<string, number>>;

export const OK = 200;
const MAX_PER_SECOND = 40_000;

/** Paid keys that are not refused during warm-up and rounds: each has its requests of any minute. */
export const keysFor = ({ rounds, seconds }: Bench): number => {
  const loadSeconds = Math.min(WARM_UP_SECONDS + rounds * seconds, 60);
  return Math.ceil((MAX_PER_SECOND * loadSeconds) / tierLimits.paid.requestsPerMinute);
};

const readCpu = (pids: Pids): Cpu =>
  Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuMicros([pid])]));

/**
 * Sends load and checks every answer. `allowed` is the greatest number of answers by other statuses; a wrong status or
 * a wrong body throws.
 */
export const sendLoad = async (
  load: Helper,
  pids: Pids,
  options: LoadOptions,
  allowed: Readonly<Record<number, number>> = {},
): Promise<MeasuredLoad> => {
  const before = readCpu(pids);
  const result = await load.ask<LoadResult>('load', options);
  const perRequest = Object.entries(readCpu(pids)).map(([name, micros]) => [
    name,
    (micros - (before[name] ?? 0)) / result.requests,
  ]);
  const { otherStatuses, wrongBodies } = result;
  const isWrong = Object.entries(otherStatuses).some(
    ([status, count]) => count > (allowed[Number(status)] ?? 0),
  );
  if (isWrong || wrongBodies > 0)
    throw new Error(`wrong answers: ${JSON.stringify(otherStatuses)}, ${wrongBodies} bodies`);
  return { ...result, cpu: Object.fromEntries(perRequest) };
};

/** The row of a load: requests per second, and the CPU of both sides. */
export const throughput = (path: string, runs: Rounds<MeasuredLoad>, min: number | null): Row => ({
  ...{ path, unit: 'requests/s', goal: min === null ? null : { min } },
  ...pick(runs, ({ perSecond }) => perSecond),
  cpu: [runs.ours, runs.peer].map((side) => cpuText(medianCpu(side.map(({ cpu }) => cpu)))).join('; '),
});

/** The row of a load's CPU: microseconds per request of one process on each side. */
export const cpuRow = (
  path: string,
  runs: Rounds<MeasuredLoad>,
  [ours, peer]: readonly [string, string],
  max: number,
): Row => ({
  ...{ path, unit: 'µs of CPU', goal: { max } },
  ours: runs.ours.map(({ cpu }) => cpu[ours] ?? 0),
  peer: runs.peer.map(({ cpu }) => cpu[peer] ?? 0),
});

/** The first video of each benchmark: in one run, none has fetched the videos of another. */
export const FIRST_VIDEO = { coldOverhead: 1_000, bulkJob: 1_000_000 } as const;

/** Returns videos that no request has named yet. */
export const createVideos = (benchmark: keyof typeof FIRST_VIDEO): ((count: number) => string[]) => {
  let next: number = FIRST_VIDEO[benchmark];
  return (count) =>
    Array.from({ length: count }, () => {
      next += 1;
      return loadVideoId(next);
    });
};
