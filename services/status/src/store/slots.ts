import { JUDGED_AFTER_MS, OUTAGE_SLOTS } from '../domain/outage.ts';
import type { DaySlots } from '../domain/status-days.ts';
import type { Db } from './database.ts';

const DAYS = 90;

/** A slot is healthy if anybody has seen a healthy strategy in it: so the order and number of observations do not matter. */
export const saveSlot = async (tx: Db, slotAt: Date, isHealthy: boolean): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO slots (slot_at, is_healthy) VALUES (${slotAt}, ${isHealthy})
    ON CONFLICT (slot_at) DO UPDATE SET is_healthy = true WHERE excluded.is_healthy AND NOT slots.is_healthy`;
};

/** The observed slots of each of the last ninety UTC days. */
export const readDaySlots = (db: Db, now: Date): Promise<DaySlots[]> => db.$queryRaw`
  SELECT ((slot_at AT TIME ZONE 'UTC')::date)::text AS day, count(*)::integer AS "observedSlots",
    count(*) FILTER (WHERE NOT is_healthy)::integer AS "outageSlots"
  FROM slots WHERE slot_at > ${now}::timestamptz - ${DAYS}::int * interval '1 day' GROUP BY 1`;

type Judged = DaySlots & { readonly isOutage: boolean };

/**
 * Judges the days that are over, and answers those of which something new is known. A day that was no outage becomes one where
 * observations come late; one that is an outage is answered once, for ever: of two that judge it, the second finds the row of the first.
 */
export const judgeOverDays = (tx: Db, now: Date): Promise<Judged[]> => tx.$queryRaw`
  INSERT INTO judged_days AS judged (day, observed_slots, outage_slots, is_outage, judged_at)
  SELECT (slot_at AT TIME ZONE 'UTC')::date AS day, count(*), count(*) FILTER (WHERE NOT is_healthy),
    count(*) FILTER (WHERE NOT is_healthy) >= ${OUTAGE_SLOTS}::int, ${now}
  FROM slots
  WHERE slot_at >= (${now}::timestamptz AT TIME ZONE 'UTC')::date::timestamp AT TIME ZONE 'UTC' - ${DAYS}::int * interval '1 day'
  GROUP BY 1
  HAVING ((slot_at AT TIME ZONE 'UTC')::date + 1)::timestamp AT TIME ZONE 'UTC'
    <= ${now}::timestamptz - ${JUDGED_AFTER_MS}::int * interval '1 millisecond'
  ORDER BY 1
  ON CONFLICT (day) DO UPDATE
  SET observed_slots = excluded.observed_slots, outage_slots = excluded.outage_slots,
    is_outage = excluded.is_outage, judged_at = excluded.judged_at
  WHERE NOT judged.is_outage
    AND (judged.observed_slots, judged.outage_slots) IS DISTINCT FROM (excluded.observed_slots, excluded.outage_slots)
  RETURNING day::text, observed_slots::integer AS "observedSlots", outage_slots::integer AS "outageSlots",
    is_outage AS "isOutage"`;
