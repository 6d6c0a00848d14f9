import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '#support';
import type { Traffic, TrafficKind } from './traffic.ts';

/** Of a hundred calls. */
const MIX: Readonly<
  Record<Exclude<TrafficKind, 'signUp' | 'failing' | 'outage' | 'upload' | 'refill'>, number>
> = {
  cached: 40,
  cold: 18,
  special: 6,
  poll: 6,
  search: 5,
  list: 3,
  job: 4,
  archive: 2,
  webhook: 2,
  stop: 2,
  facts: 4,
  wrong: 4,
  stranger: 4,
};
const MAX_IN_PROGRESS = 300;

export type Load = {
  /** Ends the arrivals, then waits for the answers that are still to come. */
  stop(): Promise<void>;
};

export type LoadOptions = {
  readonly traffic: Traffic;
  readonly random: Random;
  readonly requestsPerSecond: number;
  readonly signUpEveryMs: number;
};

const hundred = Object.entries(MIX).flatMap(([kind, count]) =>
  Array<keyof typeof MIX>(count).fill(kind as keyof typeof MIX),
);

/** Calls that arrive whether or not earlier ones have been answered. */
export const startLoad = ({ traffic, random, requestsPerSecond, signUpEveryMs }: LoadOptions): Load => {
  const ending = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const begin = (kind: TrafficKind): void => {
    if (underWay.size >= MAX_IN_PROGRESS) return;
    const call = traffic.calls[kind]().finally(() => underWay.delete(call));
    underWay.add(call);
  };
  const every = async (ms: number, act: () => void): Promise<void> => {
    let next = performance.now();
    while (!ending.signal.aborted) {
      act();
      next = Math.max(next + ms, performance.now() - ms);
      await delay(Math.max(0, next - performance.now()), undefined, { signal: ending.signal }).catch(() => {});
    }
  };
  const arrivals = [
    every(1_000 / requestsPerSecond, () => begin(random.pick(hundred))),
    every(signUpEveryMs, () => begin('signUp')),
  ];
  return {
    stop: async () => {
      ending.abort();
      await Promise.all(arrivals);
      await Promise.all(underWay);
    },
  };
};
