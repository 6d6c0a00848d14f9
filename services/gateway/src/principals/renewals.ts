import type { BusyKey } from '../admission/admission.ts';

/** Long enough for many keys to share a round trip, and far less than what the permits in hand last. */
const GATHER_MS = 10;

/** Has a key renewed shortly, in the background; however often that is wanted meanwhile, it is done once. */
export type WantRenewal = (key: BusyKey) => void;

/** Nobody waits for a renewal, so they are gathered: a trip for each would wake Redis and this process all the time. */
export const createRenewals = (
  renew: (key: BusyKey) => Promise<void>,
  gatherMs: number = GATHER_MS,
): WantRenewal => {
  let wanted = new Map<string, BusyKey>();
  const flush = (): void => {
    const gathered = wanted;
    wanted = new Map();
    for (const key of gathered.values()) void renew(key);
  };
  return (key) => {
    if (wanted.size === 0) setTimeout(flush, gatherMs);
    wanted.set(`${key.kind} ${key.keyDigest}`, key);
  };
};
