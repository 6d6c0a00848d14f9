import { loadVideoId } from '@tds/platform-simulator';
import type { LoadOptions, LoadResult } from '../helpers/http-load.ts';
import type { Helper } from './helper.ts';
import { getRequest, openConnection } from './http-connection.ts';
import { cpuMicros } from './procfs.ts';

/** A load's result, and the microseconds of CPU per request of each process. */
export type Loaded = LoadResult & { readonly cpu: readonly number[] };

export const OK = 200;
/** Hashes no body but the first. */
export const NO_SAMPLES = Number.MAX_SAFE_INTEGER;

/**
 * Sends load and checks every answer. `allowed` is the greatest number of answers by other statuses; a wrong status or
 * a wrong body throws.
 */
export const sendLoad = async (
  load: Helper,
  pids: readonly number[],
  options: LoadOptions,
  allowed: Readonly<Record<number, number>> = {},
): Promise<Loaded> => {
  const before = pids.map((pid) => cpuMicros([pid]));
  const result = await load.ask<LoadResult>('load', options);
  const cpu = pids.map((pid, index) => (cpuMicros([pid]) - (before[index] ?? 0)) / result.requests);
  const { otherStatuses, wrongBodies } = result;
  const isWrong = Object.entries(otherStatuses).some(
    ([status, count]) => count > (allowed[Number(status)] ?? 0),
  );
  if (isWrong || wrongBodies > 0)
    throw new Error(`wrong answers: ${JSON.stringify(otherStatuses)}, ${wrongBodies} bodies`);
  return { ...result, cpu };
};

/** Sends requests one after the other on one connection, and returns the milliseconds of each. */
export const timeEach = async (
  port: number,
  key: string | undefined,
  targets: readonly string[],
): Promise<number[]> => {
  const connection = await openConnection(port);
  const times: number[] = [];
  try {
    for (const target of targets) {
      const startedAt = performance.now();
      const { status, head } = await connection.send(getRequest(port, target, key), false);
      if (status !== OK) throw new Error(head);
      times.push(performance.now() - startedAt);
    }
    return times;
  } finally {
    connection.close();
  }
};

/** Returns videos that no request has named yet. */
export const createVideos = (first: number): ((count: number) => string[]) => {
  let next = first;
  return (count) =>
    Array.from({ length: count }, () => {
      next += 1;
      return loadVideoId(next);
    });
};
