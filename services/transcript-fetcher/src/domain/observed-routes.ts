import type { ColdCapacity } from '@tds/contracts';

/** A route unused for longer is not observed. */
const USED_WITHIN_MS = 10 * 60_000;

/** The health of a route in the platform adapter. */
export type RouteHealth = {
  readonly strategy: string;
  readonly egress: string;
  readonly state: 'closed' | 'open' | 'half_open';
  readonly lastSuccessAt: Date | null;
};

export type ObservedRoute = { readonly strategy: string; readonly exit: string; readonly healthy: boolean };

const isRecent = (at: Date | null, now: Date): boolean =>
  at !== null && now.getTime() - at.getTime() <= USED_WITHIN_MS;

/**
 * The routes that this instance has observed. An open circuit is unhealthy until a probe closes it; a closed one is healthy if it served
 * lately, else it is not observed.
 */
export const observedRoutes = (health: readonly RouteHealth[], now: Date): ObservedRoute[] =>
  health
    .filter(({ state, lastSuccessAt }) => state !== 'closed' || isRecent(lastSuccessAt, now))
    .map(({ strategy, egress, state }) => ({ strategy, exit: egress, healthy: state === 'closed' }));

/** Today's usage of the shared limits. */
export type SharedUse = {
  readonly everybody: number;
  readonly freePool: number;
  /** Null without proxies. */
  readonly proxyBytes: number | null;
};

export type SharedLimits = {
  readonly global: number;
  readonly freePool: number;
  readonly proxyBytesPerDay: number;
};

export const coldCapacityOf = (used: SharedUse, limits: SharedLimits): ColdCapacity => {
  const areBytesSpent = used.proxyBytes !== null && used.proxyBytes >= limits.proxyBytesPerDay;
  if (areBytesSpent || used.everybody >= limits.global) return 'spent';
  return used.freePool >= limits.freePool ? 'limited' : 'open';
};
