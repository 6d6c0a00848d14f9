import { type AgingRows, purgeOlder } from '@tds/base';
import {
  DAY_MS,
  type Impairment,
  type LatencyCohort,
  type LatencySlot,
  type PayloadOf,
  type transcriptFetcher,
} from '@tds/contracts';
import type { Backlog } from '@tds/kit';
import { type Change, type DaySlots, EVALUATED_AFTER_MS, OUTAGE_SLOTS, SHOWN_DAYS } from '../domain/days.ts';
import type { CanaryCheck, Report } from '../domain/observed-status.ts';
import type { Database, Db } from './database.ts';

/** The page shows ninety days, and incidents that began before them. */
const KEPT_DAYS = 120;

export const createPurges = (db: Database, now: Date) => {
  const purge = (rows: AgingRows, keptDays: number) =>
    purgeOlder(db, rows, new Date(now.getTime() - keptDays * DAY_MS));
  return {
    latency: purge({ table: 'latency', age: 'slot_at' }, 2),
    reports: purge({ table: 'reports', age: 'observed_at' }, 7),
    slots: purge({ table: 'slots', age: 'slot_at' }, KEPT_DAYS),
    changes: purge({ table: 'changes', age: 'changed_at' }, KEPT_DAYS),
  };
};

type StrategyObserved = PayloadOf<typeof transcriptFetcher.strategyObserved>;
type CanaryChecked = PayloadOf<typeof transcriptFetcher.canaryChecked>;

/** Saves the newest report of an instance; ignores older and repeated ones. */
export const saveReport = (tx: Db, { instance, observedAt, strategies, capacity, faults }: StrategyObserved) =>
  tx.$executeRaw`
    INSERT INTO reports (instance, observed_at, strategies, capacity, faults)
    VALUES (${instance}::uuid, ${observedAt}::timestamptz, ${JSON.stringify(strategies)}::jsonb, ${capacity}, ${faults ?? null})
    ON CONFLICT (instance) DO UPDATE SET observed_at = excluded.observed_at, strategies = excluded.strategies,
      capacity = excluded.capacity, faults = excluded.faults
    WHERE reports.observed_at < excluded.observed_at`;

export const saveCanary = (tx: Db, { checkedAt, routes, translation }: CanaryChecked) =>
  tx.$executeRaw`
    INSERT INTO canary (checked_at, routes, translation)
    VALUES (${checkedAt}::timestamptz, ${JSON.stringify(routes)}::jsonb, ${translation})
    ON CONFLICT (is_only) DO UPDATE
    SET checked_at = excluded.checked_at, routes = excluded.routes, translation = excluded.translation
    WHERE canary.checked_at < excluded.checked_at`;

/** The contract's schemas have validated the columns. */
export const readReports = async (db: Db): Promise<Report[]> =>
  (await db.report.findMany()).map((row) => ({
    observedAt: row.observedAt,
    strategies: row.strategies as Report['strategies'],
    capacity: row.capacity as Report['capacity'],
    faults: row.faults as Report['faults'],
  }));

export const readCanary = async (db: Db): Promise<CanaryCheck | null> =>
  (await db.canary.findFirst()) as CanaryCheck | null;

/** A slot is healthy if any instance saw a healthy strategy in it, so order and number of observations do not matter. */
export const saveSlot = (tx: Db, slotAt: Date, isHealthy: boolean) =>
  tx.$executeRaw`
    INSERT INTO slots (slot_at, is_healthy) VALUES (${slotAt}, ${isHealthy})
    ON CONFLICT (slot_at) DO UPDATE SET is_healthy = true WHERE excluded.is_healthy AND NOT slots.is_healthy`;

/** The observed slots per day of the last ninety UTC days. */
export const readDaySlots = (db: Db, now: Date): Promise<DaySlots[]> => db.$queryRaw`
  SELECT ((slot_at AT TIME ZONE 'UTC')::date)::text AS day, count(*)::integer AS "observedSlots",
    count(*) FILTER (WHERE NOT is_healthy)::integer AS "outageSlots"
  FROM slots WHERE slot_at > ${now}::timestamptz - ${SHOWN_DAYS}::int * interval '1 day' GROUP BY 1`;

type EvaluatedDay = DaySlots & { readonly isOutage: boolean };

/**
 * Evaluates the days that are over and returns those whose counts are new. Late observations can turn a day into an outage. An outage is
 * returned once: a concurrent run finds the row of the first.
 */
export const evaluateOverDays = (tx: Db, now: Date): Promise<EvaluatedDay[]> => tx.$queryRaw`
  INSERT INTO evaluated_days AS evaluated (day, observed_slots, outage_slots, is_outage, evaluated_at)
  SELECT (slot_at AT TIME ZONE 'UTC')::date AS day, count(*), count(*) FILTER (WHERE NOT is_healthy),
    count(*) FILTER (WHERE NOT is_healthy) >= ${OUTAGE_SLOTS}::int, ${now}
  FROM slots
  WHERE slot_at >= (${now}::timestamptz AT TIME ZONE 'UTC')::date::timestamp AT TIME ZONE 'UTC' - ${SHOWN_DAYS}::int * interval '1 day'
  GROUP BY 1
  HAVING ((slot_at AT TIME ZONE 'UTC')::date + 1)::timestamp AT TIME ZONE 'UTC'
    <= ${now}::timestamptz - ${EVALUATED_AFTER_MS}::int * interval '1 millisecond'
  ORDER BY 1
  ON CONFLICT (day) DO UPDATE
  SET observed_slots = excluded.observed_slots, outage_slots = excluded.outage_slots,
    is_outage = excluded.is_outage, evaluated_at = excluded.evaluated_at
  WHERE NOT evaluated.is_outage
    AND (evaluated.observed_slots, evaluated.outage_slots) IS DISTINCT FROM (excluded.observed_slots, excluded.outage_slots)
  RETURNING day::text, observed_slots::integer AS "observedSlots", outage_slots::integer AS "outageSlots",
    is_outage AS "isOutage"`;

/** Saves the impairments from `now` on; returns false if they are the same as before. */
export const saveChange = async (tx: Db, impaired: readonly Impairment[], now: Date): Promise<boolean> => {
  const inserted = await tx.$executeRaw`
    INSERT INTO changes (changed_at, impaired)
    SELECT ${now}, ${[...impaired]}::text[]
    WHERE coalesce((SELECT impaired FROM changes ORDER BY changed_at DESC LIMIT 1), '{}') <> ${[...impaired]}::text[]
    ON CONFLICT DO NOTHING`;
  return inserted > 0;
};

export const readChanges = async (db: Db, now: Date): Promise<Change[]> => {
  const where = { changedAt: { gt: new Date(now.getTime() - KEPT_DAYS * DAY_MS) } };
  return (await db.change.findMany({ where, orderBy: { changedAt: 'asc' } })) as Change[];
};

/** Instances of the fetcher report at least this often. */
const REPORT_EVERY_SECONDS = 60;

/** How long the next report of any instance is overdue. */
export const overdueObservations = async (db: Db): Promise<Backlog> => {
  const [row] = await db.$queryRaw<{ overdue: number }[]>`
    SELECT greatest(extract(epoch FROM now() - max(observed_at)) - ${REPORT_EVERY_SECONDS}, 0)::float8 AS overdue FROM reports`;
  const oldestSeconds = row?.overdue ?? 0;
  return { count: oldestSeconds > 0 ? 1 : 0, oldestSeconds };
};

const HOURS = 24;

/** Counts of a gateway and slot only grow, so repeated and older reports change nothing. */
export const saveLatency = (db: Db, instance: string, slots: readonly LatencySlot[]) =>
  db.$executeRaw`
    INSERT INTO latency (slot_at, cohort, instance, counts)
    SELECT slot."slotAt", slot.cohort, ${instance}::uuid, slot.counts
    FROM jsonb_to_recordset(${JSON.stringify(slots)}::jsonb) AS slot ("slotAt" timestamptz, cohort text, counts integer[])
    ON CONFLICT (slot_at, cohort, instance) DO UPDATE SET counts = (
      SELECT array_agg(greatest(before, after) ORDER BY n)
      FROM unnest(latency.counts, excluded.counts) WITH ORDINALITY AS pair (before, after, n))`;

type CohortCounts = { readonly cohort: LatencyCohort; readonly counts: readonly number[] };

/** Sums over all gateways and the last 24 hours, per bound. */
export const sumLatency = (db: Db, now: Date): Promise<CohortCounts[]> => db.$queryRaw`
  SELECT cohort, array_agg(total ORDER BY n) AS counts
  FROM (
    SELECT cohort, n, sum(count)::integer AS total
    FROM latency, unnest(counts) WITH ORDINALITY AS one (count, n)
    WHERE slot_at > ${now}::timestamptz - ${HOURS}::int * interval '1 hour' AND slot_at <= ${now}
    GROUP BY cohort, n) AS sums
  GROUP BY cohort`;
