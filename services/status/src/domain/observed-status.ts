import type {
  ColdCapacity,
  FaultShare,
  Impairment,
  ObservedStatus,
  PartState,
  PayloadOf,
  transcriptFetcher,
} from '@tds/contracts';

type Observation = PayloadOf<typeof transcriptFetcher.strategyObserved>;
type ObservedRoute = Observation['strategies'][number];

/** The last report of one fetcher instance. */
export type Report = Pick<Observation, 'strategies' | 'capacity'> & {
  readonly observedAt: Date;
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
const toPartState = (good: readonly boolean[]): PartState => {
  if (good.length === 0) return 'unknown';
  if (good.every(Boolean)) return 'operational';
  return good.some(Boolean) ? 'degraded' : 'down';
};

/** A route is healthy if any instance reports so: the others may not have tried it since it was blocked. */
const mergeRoutes = (reports: readonly Report[]): readonly ObservedRoute[] => {
  const byKey = new Map<string, ObservedRoute>();
  for (const route of reports.flatMap(({ strategies }) => strategies)) {
    const key = `${route.strategy} ${route.exit}`;
    byKey.set(key, { ...route, healthy: route.healthy || byKey.get(key)?.healthy === true });
  }
  return [...byKey.values()];
};

/** What customers' fetches got: down if most of them failed in each instance that had enough, degraded if more than a few failed in one. */
const summarizeFetches = (recentReports: readonly Report[]): PartState => {
  const shares = recentReports.flatMap(({ faults }) => faults ?? []);
  if (shares.length === 0) return 'unknown';
  if (shares.every((share) => share === 'most')) return 'down';
  return shares.every((share) => share === 'few') ? 'operational' : 'degraded';
};

const WORST_FIRST = ['down', 'degraded', 'operational'] as const;
const worst = (...states: readonly PartState[]): PartState =>
  WORST_FIRST.find((state) => states.includes(state)) ?? 'unknown';

const toRelayState = (
  reports: readonly Report[],
  recentReports: readonly Report[],
  routes: readonly ObservedRoute[],
) => {
  if (recentReports.length === 0) return reports.length === 0 ? 'unknown' : 'down';
  if (routes.length === 0) return 'operational';
  const byExit = Map.groupBy(routes, ({ exit }) => exit);
  return toPartState([...byExit.values()].map((ofExit) => ofExit.some(({ healthy }) => healthy)));
};

const capacityStates: Readonly<Record<ColdCapacity, PartState>> = {
  open: 'operational',
  limited: 'degraded',
  spent: 'down',
};

/** All instances share one count, so the newest report is right. */
const toCapacityState = (recentReports: readonly Report[]): PartState => {
  const [newest] = recentReports.toSorted(
    (one, other) => other.observedAt.getTime() - one.observedAt.getTime(),
  );
  return newest === undefined ? 'unknown' : capacityStates[newest.capacity];
};

const translationStates = { served: 'operational', refused: 'degraded' } as const;

/** Strategies that fetched no known video: they are impaired even before their circuits open. */
const findFailedStrategies = (routes: CanaryCheck['routes']): ReadonlySet<string> => {
  const passed = new Set(routes.filter((route) => route.passed).map(({ strategy }) => strategy));
  return new Set(routes.map(({ strategy }) => strategy).filter((strategy) => !passed.has(strategy)));
};

type Parts = Pick<ObservedStatus, 'relay' | 'capacity'> & {
  readonly delivery: PartState;
  readonly canary: PartState;
};

const listImpairments = ({ relay, delivery, capacity, canary }: Parts): Impairment[] => [
  ...(relay === 'down' ? (['relay'] as const) : []),
  ...(delivery === 'down' ? (['strategies'] as const) : []),
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
  const recentReports = reports.filter(({ observedAt }) => isRecent(observedAt, now));
  const routes = mergeRoutes(recentReports);
  const fetches = summarizeFetches(recentReports);
  const relay = worst(toRelayState(reports, recentReports, routes), fetches);
  const capacity = toCapacityState(recentReports);
  const checkedRoutes = check && isRecent(check.checkedAt, now) ? check.routes : [];
  const canary = toPartState(checkedRoutes.map(({ passed }) => passed));
  const failedStrategies = findFailedStrategies(checkedRoutes);
  const translation = canary === 'unknown' || !check?.translation ? null : check.translation;
  const failingStrategies = new Set(
    routes.flatMap(({ strategy, faults }) => (faults === 'some' ? strategy : [])),
  );
  const strategyState = (name: string, ofStrategy: readonly ObservedRoute[]): PartState => {
    if (fetches === 'down') return 'down';
    const healthy = ofStrategy.map((route) => route.healthy);
    const isImpaired = failedStrategies.has(name) || failingStrategies.has(name);
    return healthy.every(Boolean) && isImpaired ? 'degraded' : toPartState(healthy);
  };
  const delivery = fetches === 'down' ? 'down' : toPartState(routes.map(({ healthy }) => healthy));
  return {
    relay,
    capacity,
    translation: translation === null ? 'unknown' : translationStates[translation],
    strategies: [...Map.groupBy(routes, ({ strategy }) => strategy)].map(([name, ofStrategy]) => ({
      name,
      status: strategyState(name, ofStrategy),
    })),
    canary: { status: canary, checked_at: check?.checkedAt.toISOString() ?? null },
    impaired: listImpairments({ relay, delivery, capacity, canary }),
  };
};
