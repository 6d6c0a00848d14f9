import { secondsToNextUtcDay, serviceError } from '@tds/contracts';
import type { Database } from '../store/database.ts';
import { giveBackOfDay, takeOfDay } from '../store/day-counts.ts';

const SCOPE = 'data_api_units';

export type Units = {
  /** Of all accounts together. */
  readonly dataApiUnitsPerDay: number;
  readonly dataApiUnitsPerAccount: number;
};

/**
 * Counts a unit of the Data API before it is spent, for whoever asks and for all: neither the whole system's day is passed, nor does
 * one account use up that of the others. Throws `data_api_unit_cap`.
 */
export const takeDataApiUnit = async (
  db: Database,
  { dataApiUnitsPerDay, dataApiUnitsPerAccount }: Units,
  accountId: string | null,
  now: Date,
): Promise<void> => {
  const retryAfterSeconds = secondsToNextUtcDay(now);
  const own = `${SCOPE}:${accountId}`;
  if (accountId && !(await takeOfDay(db, { scope: own, most: dataApiUnitsPerAccount }, now)))
    throw serviceError('data_api_unit_cap', {
      message: "This account's share of today's platform API units is used up. More at 00:00 UTC.",
      retryAfterSeconds,
    });
  if (await takeOfDay(db, { scope: SCOPE, most: dataApiUnitsPerDay }, now)) return;
  if (accountId) await giveBackOfDay(db, own, now);
  throw serviceError('data_api_unit_cap', { retryAfterSeconds });
};
