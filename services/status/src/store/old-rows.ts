import { type AgingRows, purgeOlder } from '@tds/base';
import { DAY_MS } from '@tds/contracts';
import type { Database } from './database.ts';

/** The page shows ninety days, and incidents that began before them. */
export const KEPT_DAYS = 120;

export const purgesOf = (db: Database, now: Date) => {
  const purge = (rows: AgingRows, keptDays: number) =>
    purgeOlder(db, rows, new Date(now.getTime() - keptDays * DAY_MS));
  return {
    latency: purge({ table: 'latency', key: 'slot_at, cohort, instance', age: 'slot_at' }, 2),
    reports: purge({ table: 'reports', key: 'instance', age: 'observed_at' }, 7),
    slots: purge({ table: 'slots', key: 'slot_at', age: 'slot_at' }, KEPT_DAYS),
    changes: purge({ table: 'changes', key: 'changed_at', age: 'changed_at' }, KEPT_DAYS),
  };
};
