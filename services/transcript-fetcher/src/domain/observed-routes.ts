import type { ColdCapacity } from '@tds/contracts';

/** What nobody has used for longer says nothing of now. */
const USED_WITHIN_MS = 10 * 60_000;

/** What the adapter to the platform knows of a route. */
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
 * The routes of which this instance knows something. An open circuit is not healthy until a probe has closed it; a closed one is
 * healthy where it has served lately: one that nobody has tried is no observation.
 */
export const observedRoutes = (health: readonly RouteHealth[], now: Date): ObservedRoute[] =>
  health
    .filter(({ state, lastSuccessAt }) => state !== 'closed' || isRecent(lastSuccessAt, now))
    .map(({ strategy, egress, state }) => ({ strategy, exit: egress, healthy: state === 'closed' }));

/** What has been used of the limits that all share today. */
export type SharedUse = {
  readonly everybody: number;
  readonly freePool: number;
  /** Null where nothing is left of the proxies' bytes to count, because there are no proxies. */
  readonly proxyBytes: number | null;
};

export type SharedLimits = {
  readonly global: number;
  readonly freePool: number;
  readonly proxyBytesPerDay: number;
};

/** Whether new cold work may begin today. */
export const coldCapacityOf = (used: SharedUse, limits: SharedLimits): ColdCapacity => {
  const areBytesSpent = used.proxyBytes !== null && used.proxyBytes >= limits.proxyBytesPerDay;
  if (areBytesSpent || used.everybody >= limits.global) return 'spent';
  return used.freePool >= limits.freePool ? 'limited' : 'open';
};
