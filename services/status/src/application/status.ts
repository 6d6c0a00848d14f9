import { type LatencyBounds, type LatencyCohort, latencyCohort, type ObservedStatus } from '@tds/contracts';
import { latencyBoundsOf } from '../domain/latency-bounds.ts';
import { observeStatus } from '../domain/observed-status.ts';
import type { Database } from '../store/database.ts';
import { sumLatency } from '../store/latency.ts';
import { readCanary, readReports } from '../store/observations.ts';

/** How new work fares now. */
export const readStatus = async (db: Database, now: Date): Promise<ObservedStatus> => {
  const [reports, canary] = await Promise.all([readReports(db), readCanary(db)]);
  return observeStatus(reports, canary, now);
};

type Rolling = Readonly<Record<LatencyCohort, LatencyBounds>>;

/** Gateways report every few seconds, so nothing newer is there. */
const KEPT_MS = 5_000;

const read = async (db: Database, now: Date): Promise<Rolling> => {
  const sums = new Map((await sumLatency(db, now)).map(({ cohort, counts }) => [cohort, counts]));
  return Object.fromEntries(
    latencyCohort.options.map((cohort) => [cohort, latencyBoundsOf(sums.get(cohort) ?? [])]),
  ) as Rolling;
};

/** The bounds of the last 24 hours: summed once every few seconds, however many gateways ask. */
export const createRollingLatency = (db: Database) => {
  let kept: { readonly at: number; readonly bounds: Promise<Rolling> } | null = null;
  return {
    async read(now: Date): Promise<Rolling> {
      if (kept === null || Math.abs(now.getTime() - kept.at) >= KEPT_MS)
        kept = { at: now.getTime(), bounds: read(db, now) };
      const asked = kept;
      return await asked.bounds.catch((error: unknown) => {
        // Whoever comes next asks again.
        if (kept === asked) kept = null;
        throw error;
      });
    },
  };
};
export type RollingLatency = ReturnType<typeof createRollingLatency>;
