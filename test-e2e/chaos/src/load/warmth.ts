import type { History } from '../history.ts';

/** Identity's projections live for ten minutes: younger customers are known to Redis for certain. */
const SURELY_PROJECTED_MS = 8 * 60_000;
/** A gateway remembers keys for ten seconds: an answer that is later than that after a loss was learnt after it. */
const SURELY_LEARNT_MS = 11_000;

/** Something that a cached read needs: hot while gateway and Redis know it for certain. */
export type Warm = { hotIn: number };

/** Which customers and videos gateway and Redis can serve without any other server. */
export type Warmth = {
  /** The gateway or Redis have lost what they knew. */
  forget(): void;
  /** Of the moment at which a call begins; what is learnt from its answer counts for that moment. */
  epoch(): number;
  isHot(customer: Warm & { readonly since: number }, video: Warm): boolean;
  /** The call that began at `at` in `epoch` was answered. */
  learn(what: Warm, call: { readonly at: number; readonly epoch: number }): void;
};

export const createWarmth = (history: Pick<History, 'now'>): Warmth => {
  let epoch = 0;
  let lostAt = history.now();
  return {
    forget: () => {
      epoch += 1;
      lostAt = history.now();
    },
    epoch: () => epoch,
    isHot: (customer, video) =>
      history.now() - customer.since < SURELY_PROJECTED_MS && customer.hotIn === epoch && video.hotIn === epoch,
    learn: (what, call) => {
      if (call.at > lostAt + SURELY_LEARNT_MS) what.hotIn = call.epoch;
    },
  };
};
