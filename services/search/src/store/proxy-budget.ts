import type { ByteBudget } from '@tds/video-platform';
import type { Database } from './database.ts';
import { takeOfDay, usedOfDay } from './day-counts.ts';

const SCOPE = 'proxy_kib';
const KIB = 1_024;
/** What was read is counted, also where it was more than what was left. */
const MOST_COUNTED = 2_000_000_000;

/** What all instances of this service may read through proxies on a UTC day, counted in KiB. */
export const proxyBudget = (db: Database, bytesPerDay: number, now: () => Date): ByteBudget => ({
  remaining: async () => Math.max(0, bytesPerDay - (await usedOfDay(db, SCOPE, now())) * KIB),
  spend: async (bytes) => {
    await takeOfDay(db, { scope: SCOPE, most: MOST_COUNTED }, now(), Math.ceil(bytes / KIB));
  },
});
