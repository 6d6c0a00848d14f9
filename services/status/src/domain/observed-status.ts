import type { ColdCapacity, Impairment, ObservedStatus, PartState } from '@tds/contracts';

export type ObservedRoute = { readonly strategy: string; readonly exit: string; readonly healthy: boolean };

/** What an instance of the fetcher said last. */
export type Report = {
  readonly observedAt: Date;
  readonly strategies: readonly ObservedRoute[];
  readonly capacity: ColdCapacity;
};

/** What the last check of known videos found. */
export type CanaryCheck = {
  readonly checkedAt: Date;
  readonly routes: readonly { readonly strategy: string; readonly passed: boolean }[];
  readonly translation: 'served' | 'refused' | null;
};

/** Instances say something every minute, checks come every half: whoever misses two of them is silent. */
export const SILENT_AFTER_MS = 150_000;

const isRecent = (at: Date, now: Date): boolean => now.getTime() - at.getTime() <= SILENT_AFTER_MS;

/** All, some or none of them. */
const stateOf = (good: readonly boolean[]): PartState => {
  if (good.length === 0) return 'unknown';
  if (good.every(Boolean)) return 'operational';
  return good.some(Boolean) ? 'degraded' : 'down';
};

/** A route is healthy where it is for any instance: one that has not tried it since a block knows no better. */
const mergedRoutes = (reports: readonly Report[]): readonly ObservedRoute[] => {
  const merged = new Map<string, ObservedRoute>();
  for (const route of reports.flatMap(({ strategies }) => strategies)) {
    const key = `${route.strategy} ${route.exit}`;
    merged.set(key, { ...route, healthy: route.healthy || merged.get(key)?.healthy === true });
  }
  return [...merged.values()];
};

/** By the value of a field: whether any, and so on, of its routes are healthy. */
const healthBy = (routes: readonly ObservedRoute[], field: 'strategy' | 'exit'): Map<string, boolean[]> =>
  routes.reduce(
    (found, route) => found.set(route[field], [...(found.get(route[field]) ?? []), route.healthy]),
    new Map<string, boolean[]>(),
  );

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

/** All instances count in the same rows, so whoever looked last knows best. */
const capacityOf = (recent: readonly Report[]): PartState => {
  const [newest] = recent.toSorted((one, other) => other.observedAt.getTime() - one.observedAt.getTime());
  return newest === undefined ? 'unknown' : capacityStates[newest.capacity];
};

const translationStates = { served: 'operational', refused: 'degraded' } as const;

const canaryOf = (check: CanaryCheck | null, now: Date): PartState =>
  check === null || !isRecent(check.checkedAt, now)
    ? 'unknown'
    : stateOf(check.routes.map(({ passed }) => passed));

/** A strategy by which no known video came is not what its circuits say yet. */
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

/** How new work fares, by what instances said last and the last check of known videos. */
export const observeStatus = (
  reports: readonly Report[],
  check: CanaryCheck | null,
  now: Date,
): ObservedStatus => {
  const recent = reports.filter(({ observedAt }) => isRecent(observedAt, now));
  const routes = mergedRoutes(recent);
  const relay = relayOf(reports, recent, routes);
  const capacity = capacityOf(recent);
  const canary = canaryOf(check, now);
  const failed = failedBy(check, now);
  const translation = canary === 'unknown' || !check?.translation ? null : check.translation;
  return {
    relay,
    capacity,
    translation: translation === null ? 'unknown' : translationStates[translation],
    strategies: [...healthBy(routes, 'strategy')].map(([name, healthy]) => ({
      name,
      state: healthy.every(Boolean) && failed.has(name) ? 'degraded' : stateOf(healthy),
    })),
    canary: { state: canary, checkedAt: check?.checkedAt.toISOString() ?? null },
    impaired: impairedBy({ relay, served: stateOf(routes.map(({ healthy }) => healthy)), capacity, canary }),
  };
};
