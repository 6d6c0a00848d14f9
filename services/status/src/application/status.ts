import { type LatencyBounds, type LatencyCohort, latencyCohort, type ObservedStatus } from '@tds/contracts';
import { computeLatencyBounds } from '../domain/latency-bounds.ts';
import { observeStatus } from '../domain/observed-status.ts';
import type { Database } from '../store/database.ts';
import { readCanary, readReports, sumLatency } from '../store/observations.ts';

export const readStatus = async (db: Database, now: Date): Promise<ObservedStatus> => {
  const [reports, canary] = await Promise.all([readReports(db), readCanary(db)]);
  return observeStatus(reports, canary, now);
};

type BoundsByCohort = Readonly<Record<LatencyCohort, LatencyBounds>>;

/** Gateways report every few seconds, so a shorter time would find nothing newer. */
const CACHED_MS = 5_000;

const readBounds = async (db: Database, now: Date) => {
  const sums = new Map((await sumLatency(db, now)).map(({ cohort, counts }) => [cohort, counts]));
  return Object.fromEntries(
    latencyCohort.options.map((cohort) => [cohort, computeLatencyBounds(sums.get(cohort) ?? [])]),
  ) as BoundsByCohort;
};

/** Latency bounds of the last 24 hours, cached for all gateways. */
export const createRollingLatency = (db: Database) => {
  let cached: { readonly at: number; readonly bounds: Promise<BoundsByCohort> } | null = null;
  return {
    async read(now: Date): Promise<BoundsByCohort> {
      if (cached === null || Math.abs(now.getTime() - cached.at) >= CACHED_MS)
        cached = { at: now.getTime(), bounds: readBounds(db, now) };
      const current = cached;
      return await current.bounds.catch((error: unknown) => {
        // Let the next caller retry.
        if (cached === current) cached = null;
        throw error;
      });
    },
  };
};
export type RollingLatency = ReturnType<typeof createRollingLatency>;
