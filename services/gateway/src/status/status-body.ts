import { type Impairment, type PartState, pausesFetches } from '@tds/contracts';
import type { StatusBody } from '@tds/http-api';
import { type Dependency, dependencies, type KnownStatus } from './status-watch.ts';

const noBounds = { p50_ms: null, p95_ms: null };

/** All known impairments of new work. */
export const listImpairments = ({ report, away }: KnownStatus): readonly Impairment[] => [
  ...new Set([...(report?.impaired ?? []), ...away]),
];

const toOverallStatus = (snapshot: KnownStatus, impaired: readonly Impairment[]): StatusBody['status'] => {
  if (dependencies.every((part) => snapshot.away.has(part))) return 'down';
  return impaired.length > 0 ? 'degraded' : 'operational';
};

/** A service that does not answer this gateway counts as down, whatever the status service observed. */
export const toStatusBody = (snapshot: KnownStatus): StatusBody => {
  const { report, away, checkedAt } = snapshot;
  const impaired = listImpairments(snapshot);
  const toState = (part: Dependency, state: PartState) => ({
    status: away.has(part) ? ('down' as const) : state,
  });
  return {
    status: toOverallStatus(snapshot, impaired),
    new_fetches: !pausesFetches(impaired),
    relay: toState('relay', report?.relay ?? 'unknown'),
    strategies: report?.strategies ?? [],
    translation: { status: report?.translation ?? 'unknown' },
    capacity: { status: report?.capacity ?? 'unknown' },
    canary: report?.canary ?? { status: 'unknown', checked_at: null },
    accounts: toState('accounts', 'operational'),
    credits: toState('credits', 'operational'),
    latency: report?.latency ?? { transcript_cache_hits: noBounds, transcript_cold: noBounds },
    checked_at: checkedAt.toISOString(),
  };
};
