import type { LatencyCohort, LatencySlot } from '@tds/contracts';
import type { Db } from './database.ts';

const HOURS = 24;

/** Counts of a gateway and slot only grow, so repeated and older reports change nothing. */
export const saveLatency = async (db: Db, instance: string, slots: readonly LatencySlot[]): Promise<void> => {
  await db.$executeRaw`
    INSERT INTO latency (slot_at, cohort, instance, counts)
    SELECT slot."slotAt", slot.cohort, ${instance}::uuid, slot.counts
    FROM jsonb_to_recordset(${JSON.stringify(slots)}::jsonb) AS slot ("slotAt" timestamptz, cohort text, counts integer[])
    ON CONFLICT (slot_at, cohort, instance) DO UPDATE SET counts = (
      SELECT array_agg(greatest(before, after) ORDER BY n)
      FROM unnest(latency.counts, excluded.counts) WITH ORDINALITY AS pair (before, after, n))`;
};

export type CohortCounts = { readonly cohort: LatencyCohort; readonly counts: readonly number[] };

/** Sums over all gateways and the last 24 hours, per bound. */
export const sumLatency = (db: Db, now: Date): Promise<CohortCounts[]> => db.$queryRaw`
  SELECT cohort, array_agg(total ORDER BY n) AS counts
  FROM (
    SELECT cohort, n, sum(count)::integer AS total
    FROM latency, unnest(counts) WITH ORDINALITY AS one (count, n)
    WHERE slot_at > ${now}::timestamptz - ${HOURS}::int * interval '1 hour' AND slot_at <= ${now}
    GROUP BY cohort, n) AS sums
  GROUP BY cohort`;
