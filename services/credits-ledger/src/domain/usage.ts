import { type creditsLedger, type ReplyOf, serviceError } from '@tds/contracts';

export type UsageRow = ReplyOf<typeof creditsLedger.getUsage>['rows'][number];

/** The largest answer: ten keys for a year. */
export const MOST_USAGE_ROWS = 4_000;

/** Throws `usage_range_too_large`. Expects rows read with a limit of one more. */
export const assertFits = (rows: readonly UsageRow[]): void => {
  if (rows.length <= MOST_USAGE_ROWS) return;
  const message = `More than ${MOST_USAGE_ROWS} rows. Ask for fewer days, or for one key.`;
  throw serviceError('usage_range_too_large', { message });
};

/** The sum over all keys, and over each key. */
export const sumDay = (rows: readonly UsageRow[]): ReplyOf<typeof creditsLedger.getDayUsage> => {
  const sum = {
    ...{ requests: 0, cacheHits: 0, coldDeliveries: 0, jobRows: 0, searchPages: 0 },
    ...{ failures: 0, creditsCharged: 0 },
  };
  for (const row of rows) {
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += row[name];
  }
  return { ...sum, byKey: rows.map(({ day: _, ...counts }) => counts) };
};
