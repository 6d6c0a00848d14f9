import type { Purge } from '@tds/service-kit';
import type { Database } from './database.ts';

/** The page shows ninety days, and incidents that began before them. */
export const KEPT_DAYS = 120;

export const purgesOf = (db: Database, now: Date) =>
  ({
    latency: (limit) => db.$executeRaw`
      DELETE FROM latency WHERE (slot_at, cohort, instance) IN (
        SELECT slot_at, cohort, instance FROM latency WHERE slot_at < ${now}::timestamptz - interval '2 days' LIMIT ${limit}::int)`,
    reports: (limit) => db.$executeRaw`
      DELETE FROM reports WHERE instance IN (
        SELECT instance FROM reports WHERE observed_at < ${now}::timestamptz - interval '7 days' LIMIT ${limit}::int)`,
    slots: (limit) => db.$executeRaw`
      DELETE FROM slots WHERE slot_at IN (
        SELECT slot_at FROM slots WHERE slot_at < ${now}::timestamptz - ${KEPT_DAYS}::int * interval '1 day' LIMIT ${limit}::int)`,
    changes: (limit) => db.$executeRaw`
      DELETE FROM changes WHERE changed_at IN (
        SELECT changed_at FROM changes WHERE changed_at < ${now}::timestamptz - ${KEPT_DAYS}::int * interval '1 day' LIMIT ${limit}::int)`,
  }) satisfies Readonly<Record<string, Purge>>;
