import {
  type Impairment,
  type LatencyBounds,
  type PartState,
  pausesFetches,
  type statusBody,
} from '@tds/contracts';
import type { z } from 'zod';
import { type KnownStatus, type Needed, needed } from './known-status.ts';

export type StatusBody = Omit<z.input<typeof statusBody>, 'ok'>;

const boundsBody = (bounds: LatencyBounds | undefined) => ({
  p50_ms: bounds?.p50Ms ?? null,
  p95_ms: bounds?.p95Ms ?? null,
});

/** All that keeps new work from running, as far as anybody knows. */
export const impairmentsOf = ({ observed, away }: KnownStatus): readonly Impairment[] => [
  ...new Set([...(observed?.impaired ?? []), ...away]),
];

const overall = (known: KnownStatus, impaired: readonly Impairment[]): StatusBody['status'] => {
  if (needed.every((part) => known.away.has(part))) return 'down';
  return impaired.length > 0 ? 'degraded' : 'operational';
};

/** What a gateway may say. What others have said counts for nothing of those who do not answer the gateway itself. */
export const toStatusBody = (known: KnownStatus): StatusBody => {
  const { observed, away, checkedAt } = known;
  const impaired = impairmentsOf(known);
  const seen = (part: Needed, state: PartState) => ({ status: away.has(part) ? ('down' as const) : state });
  return {
    status: overall(known, impaired),
    new_fetches: !pausesFetches(impaired),
    relay: seen('relay', observed?.relay ?? 'unknown'),
    strategies: (observed?.strategies ?? []).map(({ name, state }) => ({ name, status: state })),
    translation: { status: observed?.translation ?? 'unknown' },
    capacity: { status: observed?.capacity ?? 'unknown' },
    canary: {
      status: observed?.canary.state ?? 'unknown',
      checked_at: observed?.canary.checkedAt ?? null,
    },
    accounts: seen('accounts', 'operational'),
    credits: seen('credits', 'operational'),
    latency: {
      transcript_cache_hits: boundsBody(observed?.latency.transcript_cache_hits),
      transcript_cold: boundsBody(observed?.latency.transcript_cold),
    },
    checked_at: checkedAt.toISOString(),
  };
};
