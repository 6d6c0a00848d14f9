import type { ColdCapacity, FaultShare, PayloadOf, transcriptFetcher } from '@tds/contracts';

/** A route unused for longer is not observed. */
const USED_WITHIN_MS = 10 * 60_000;

/** What ended in the last five minutes, and how much of it with a fault of the route. */
type OutcomeCounts = { readonly ended: number; readonly faulted: number };

/** The health of a route in the platform adapter. */
type RouteHealth = {
  readonly strategy: string;
  readonly exit: string;
  readonly state: 'closed' | 'open' | 'half_open';
  readonly lastSuccessAt: Date | null;
  readonly recent: OutcomeCounts;
};

type ObservedRoute = PayloadOf<typeof transcriptFetcher.strategyObserved>['strategies'][number];

/** Fewer say nothing. */
const MIN_ENDED = 20;
const SHARE_OF_SOME = 0.1;
const SHARE_OF_MOST = 0.5;

/** Spread into an observation. */
export const toFaultShare = ({ ended, faulted }: OutcomeCounts): { readonly faults?: FaultShare } => {
  if (ended < MIN_ENDED) return {};
  const share = faulted / ended;
  if (share > SHARE_OF_MOST) return { faults: 'most' };
  return { faults: share > SHARE_OF_SOME ? 'some' : 'few' };
};

const isRecent = (at: Date | null, now: Date): boolean =>
  at !== null && now.getTime() - at.getTime() <= USED_WITHIN_MS;

/**
 * The routes that this instance has observed. An open circuit is unhealthy until a probe closes it; a closed one is healthy if it served
 * lately and does not fail mostly, else it is not observed.
 */
export const observedRoutes = (health: readonly RouteHealth[], now: Date): ObservedRoute[] =>
  health
    .filter(({ state, lastSuccessAt }) => state !== 'closed' || isRecent(lastSuccessAt, now))
    .map(({ strategy, exit, state, recent }) => {
      const faultShare = toFaultShare(recent);
      const healthy = state === 'closed' && faultShare.faults !== 'most';
      return { strategy, exit, healthy, ...faultShare };
    });

/** Today's usage of the shared limits. */
export type SharedUse = Readonly<Record<'everybody' | 'freePool' | 'proxyBytes', number>>;

export type SharedLimits = Readonly<Record<'global' | 'freePool' | 'proxyBytesPerDay', number>>;

export const toColdCapacity = (usage: SharedUse, limits: SharedLimits): ColdCapacity => {
  if (usage.proxyBytes >= limits.proxyBytesPerDay || usage.everybody >= limits.global) return 'spent';
  return usage.freePool >= limits.freePool ? 'limited' : 'open';
};
