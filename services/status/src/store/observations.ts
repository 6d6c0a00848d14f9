import type { Impairment, PayloadOf, transcriptFetcher } from '@tds/contracts';
import type { Backlog } from '@tds/service-kit';
import { type Change, type DaySlots, JUDGED_AFTER_MS, OUTAGE_SLOTS } from '../domain/days.ts';
import type { CanaryCheck, Report } from '../domain/observed-status.ts';
import type { Db } from './database.ts';

type Observed = PayloadOf<typeof transcriptFetcher.strategyObserved>;
type Checked = PayloadOf<typeof transcriptFetcher.canaryChecked>;

/** Keeps what an instance said last: what comes late or again changes nothing. */
export const saveReport = async (
  tx: Db,
  { instance, observedAt, strategies, capacity }: Observed,
): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO reports (instance, observed_at, strategies, capacity)
    VALUES (${instance}::uuid, ${observedAt}::timestamptz, ${JSON.stringify(strategies)}::jsonb, ${capacity})
    ON CONFLICT (instance) DO UPDATE
    SET observed_at = excluded.observed_at, strategies = excluded.strategies, capacity = excluded.capacity
    WHERE reports.observed_at < excluded.observed_at`;
};

export const saveCanary = async (tx: Db, { checkedAt, routes, translation }: Checked): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO canary (checked_at, routes, translation)
    VALUES (${checkedAt}::timestamptz, ${JSON.stringify(routes)}::jsonb, ${translation})
    ON CONFLICT (is_only) DO UPDATE
    SET checked_at = excluded.checked_at, routes = excluded.routes, translation = excluded.translation
    WHERE canary.checked_at < excluded.checked_at`;
};

// The columns hold what the contract's schemas let through.
export const readReports = async (db: Db): Promise<Report[]> =>
  (await db.report.findMany()) as unknown as Report[];

export const readCanary = async (db: Db): Promise<CanaryCheck | null> =>
  (await db.canary.findFirst()) as unknown as CanaryCheck | null;

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

/** Longer than any day that is shown, so that what began before is known. */
const DAYSChanges = 120;

/** Notes from when on these impairments are there; where nothing has changed, nothing. */
export const noteImpaired = async (tx: Db, impaired: readonly Impairment[], now: Date): Promise<boolean> => {
  const noted = await tx.$executeRaw`
    INSERT INTO changes (changed_at, impaired)
    SELECT ${now}, ${[...impaired]}::text[]
    WHERE coalesce((SELECT impaired FROM changes ORDER BY changed_at DESC LIMIT 1), '{}') <> ${[...impaired]}::text[]
    ON CONFLICT DO NOTHING`;
  return noted > 0;
};

export const readChanges = async (db: Db, now: Date): Promise<Change[]> => db.$queryRaw<Change[]>`
  SELECT changed_at AS "changedAt", impaired FROM changes
  WHERE changed_at > ${now}::timestamptz - ${DAYSChanges}::int * interval '1 day' ORDER BY changed_at`;

/** Each instance of the fetcher says something at least so often. */
const EVERY_SECONDS = 60;

/** For how long an observation should have come, of any instance. */
export const overdueObservations = async (db: Db): Promise<Backlog> => {
  const [found] = await db.$queryRaw<{ overdue: number }[]>`
    SELECT greatest(extract(epoch FROM now() - max(observed_at)) - ${EVERY_SECONDS}, 0)::float8 AS overdue FROM reports`;
  const oldestSeconds = found?.overdue ?? 0;
  return { count: oldestSeconds > 0 ? 1 : 0, oldestSeconds };
};
