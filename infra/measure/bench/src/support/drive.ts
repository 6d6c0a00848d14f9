import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../benchmark.ts';

export type PaceOptions = { readonly count: number; readonly perSecond: number };

export type DriveResult = {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly latenciesMs: Float64Array;
};

type DriveOptions = {
  readonly clients: number;
  readonly seconds?: number | undefined;
  readonly count?: number | undefined;
};

const MS = 1_000;

/** Lets clients call `act` one call after the other, `count` calls in all or for `seconds`. */
export const drive = async (
  { clients, seconds, count = Number.POSITIVE_INFINITY }: DriveOptions,
  act: (n: number, client: number) => Promise<void>,
): Promise<DriveResult> => {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endAt = seconds === undefined ? Number.POSITIVE_INFINITY : startedAt + seconds * MS;
  let started = 0;
  const work = async (_: unknown, client: number): Promise<void> => {
    for (let at = startedAt; at < endAt && started < count; ) {
      started += 1;
      await act(started - 1, client);
      const now = performance.now();
      latencies.push(now - at);
      at = now;
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  const elapsedMs = performance.now() - startedAt;
  return {
    requests: latencies.length,
    perSecond: (latencies.length / elapsedMs) * MS,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    latenciesMs: Float64Array.from(latencies),
  };
};

/** Calls `act` `count` times at a steady rate, however long calls take. Rejects with the first failure. */
export async function pace(
  { count, perSecond }: PaceOptions,
  act: (n: number) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const underWay: Promise<void>[] = [];
  const failures: unknown[] = [];
  const begin = (n: number) => act(n).catch((error: unknown) => void failures.push(error));
  while (underWay.length < count) {
    const due = Math.min(count, Math.ceil(((performance.now() - startedAt) / MS) * perSecond));
    while (underWay.length < due) underWay.push(begin(underWay.length));
    if (failures.length > 0) break;
    await delay(1);
  }
  await Promise.all(underWay);
  if (failures.length > 0) throw failures[0];
}
