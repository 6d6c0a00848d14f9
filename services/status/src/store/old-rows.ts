import { DAY_MS } from '@tds/contracts';
import { purgeOlder } from '@tds/service-kit';
import type { Database } from './database.ts';

/** The page shows ninety days, and incidents that began before them. */
export const KEPT_DAYS = 120;

export const purgesOf = (db: Database, now: Date) => {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const purge = (table: string, key: string, age: string, keptDays: number) =>
    purgeOlder(db, { table, key, age }, daysAgo(keptDays));
  return {
    latency: purge('latency', 'slot_at, cohort, instance', 'slot_at', 2),
    reports: purge('reports', 'instance', 'observed_at', 7),
    slots: purge('slots', 'slot_at', 'slot_at', KEPT_DAYS),
    changes: purge('changes', 'changed_at', 'changed_at', KEPT_DAYS),
  };
};
