import type { ColdCapacity, FaultShare, Impairment, ObservedStatus, PartState } from '@tds/contracts';

export type ObservedRoute = {
  readonly strategy: string;
  readonly exit: string;
  readonly healthy: boolean;
  readonly faults?: FaultShare | undefined;
};

/** The last report of one fetcher instance. */
export type Report = {
  readonly observedAt: Date;
  readonly strategies: readonly ObservedRoute[];
  readonly capacity: ColdCapacity;
  /** Of the fetches of customers; null if there were few. */
  readonly faults: FaultShare | null;
};

/** The last check of known videos. */
export type CanaryCheck = {
  readonly checkedAt: Date;
  readonly routes: readonly { readonly strategy: string; readonly passed: boolean }[];
  readonly translation: 'served' | 'refused' | null;
};

/** Instances report every minute and checks run every half minute: two missed reports are silence. */
export const SILENT_AFTER_MS = 150_000;

const isRecent = (at: Date, now: Date): boolean => now.getTime() - at.getTime() <= SILENT_AFTER_MS;

/** Operational if all are good, degraded if some are, down if none is. */
const stateOf = (good: readonly boolean[]): PartState => {
  if (good.length === 0) return 'unknown';
  if (good.every(Boolean)) return 'operational';
  return good.some(Boolean) ? 'degraded' : 'down';
};

/** A route is healthy if any instance reports so: the others may not have tried it since it was blocked. */
const mergedRoutes = (reports: readonly Report[]): readonly ObservedRoute[] => {
  const merged = new Map<string, ObservedRoute>();
  for (const route of reports.flatMap(({ strategies }) => strategies)) {
    const key = `${route.strategy} ${route.exit}`;
    merged.set(key, { ...route, healthy: route.healthy || merged.get(key)?.healthy === true });
  }
  return [...merged.values()];
};

/** The health of all routes, grouped by strategy or by exit. */
const healthBy = (routes: readonly ObservedRoute[], field: 'strategy' | 'exit'): Map<string, boolean[]> =>
  routes.reduce(
    (found, route) => found.set(route[field], [...(found.get(route[field]) ?? []), route.healthy]),
    new Map<string, boolean[]>(),
  );

/** What customers' fetches got: down if most of them failed in each instance that had enough, degraded if more than a few failed in one. */
const summarizeFetches = (recent: readonly Report[]): PartState => {
  const shares = recent.flatMap(({ faults }) => faults ?? []);
  if (shares.length === 0) return 'unknown';
  if (shares.every((share) => share === 'most')) return 'down';
  return shares.every((share) => share === 'few') ? 'operational' : 'degraded';
};

const WORST_FIRST = ['down', 'degraded', 'operational'] as const;
const worst = (...states: readonly PartState[]): PartState =>
  WORST_FIRST.find((state) => states.includes(state)) ?? 'unknown';

const relayOf = (reports: readonly Report[], recent: readonly Report[], routes: readonly ObservedRoute[]) => {
  if (recent.length === 0) return reports.length === 0 ? 'unknown' : 'down';
  if (routes.length === 0) return 'operational';
  return stateOf([...healthBy(routes, 'exit').values()].map((healthy) => healthy.some(Boolean)));
};

const capacityStates: Readonly<Record<ColdCapacity, PartState>> = {
  open: 'operational',
  limited: 'degraded',
  spent: 'down',
};

/** All instances share one count, so the newest report is right. */
const capacityOf = (recent: readonly Report[]): PartState => {
  const [newest] = recent.toSorted((one, other) => other.observedAt.getTime() - one.observedAt.getTime());
  return newest === undefined ? 'unknown' : capacityStates[newest.capacity];
};

const translationStates = { served: 'operational', refused: 'degraded' } as const;

const canaryOf = (check: CanaryCheck | null, now: Date): PartState =>
  check === null || !isRecent(check.checkedAt, now)
    ? 'unknown'
    : stateOf(check.routes.map(({ passed }) => passed));

/** Strategies that fetched no known video: they are impaired even before their circuits open. */
const failedBy = (check: CanaryCheck | null, now: Date): ReadonlySet<string> => {
  if (check === null || !isRecent(check.checkedAt, now)) return new Set();
  const passed = new Set(check.routes.filter((route) => route.passed).map(({ strategy }) => strategy));
  return new Set(check.routes.map(({ strategy }) => strategy).filter((strategy) => !passed.has(strategy)));
};

type Parts = Pick<ObservedStatus, 'relay' | 'capacity'> & {
  readonly served: PartState;
  readonly canary: PartState;
};

const impairedBy = ({ relay, served, capacity, canary }: Parts): Impairment[] => [
  ...(relay === 'down' ? (['relay'] as const) : []),
  ...(served === 'down' ? (['strategies'] as const) : []),
  ...(capacity === 'down' ? (['capacity'] as const) : []),
  ...(capacity === 'degraded' ? (['free_pool'] as const) : []),
  ...(canary === 'down' ? (['canary'] as const) : []),
];

/** The status of new work, from the last reports and the last check. */
export const observeStatus = (
  reports: readonly Report[],
  check: CanaryCheck | null,
  now: Date,
): ObservedStatus => {
  const recent = reports.filter(({ observedAt }) => isRecent(observedAt, now));
  const routes = mergedRoutes(recent);
  const fetches = summarizeFetches(recent);
  const relay = worst(relayOf(reports, recent, routes), fetches);
  const capacity = capacityOf(recent);
  const canary = canaryOf(check, now);
  const failed = failedBy(check, now);
  const translation = canary === 'unknown' || !check?.translation ? null : check.translation;
  const failing = new Set(routes.flatMap(({ strategy, faults }) => (faults === 'some' ? strategy : [])));
  const strategyState = (name: string, healthy: readonly boolean[]): PartState => {
    if (fetches === 'down') return 'down';
    const isImpaired = failed.has(name) || failing.has(name);
    return healthy.every(Boolean) && isImpaired ? 'degraded' : stateOf(healthy);
  };
  const served = fetches === 'down' ? 'down' : stateOf(routes.map(({ healthy }) => healthy));
  return {
    relay,
    capacity,
    translation: translation === null ? 'unknown' : translationStates[translation],
    strategies: [...healthBy(routes, 'strategy')].map(([name, healthy]) => ({
      name,
      status: strategyState(name, healthy),
    })),
    canary: { status: canary, checked_at: check?.checkedAt.toISOString() ?? null },
    impaired: impairedBy({ relay, served, capacity, canary }),
  };
};
