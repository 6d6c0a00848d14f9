import { secondsToNextUtcDay, serviceError } from '@tds/contracts';
import type { Database } from '../store/database.ts';
import { takeOfDay } from '../store/day-counts.ts';

const SCOPE = 'data_api_units';

/** Counts a unit of the Data API before it is spent: the whole system's day is never passed. Throws `data_api_unit_cap`. */
export const takeDataApiUnit = async (db: Database, most: number, now: Date): Promise<void> => {
  if (await takeOfDay(db, { scope: SCOPE, most }, now)) return;
  throw serviceError('data_api_unit_cap', { retryAfterSeconds: secondsToNextUtcDay(now) });
};
