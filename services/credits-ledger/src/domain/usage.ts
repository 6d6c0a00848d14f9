import type { creditsLedger, ReplyOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';

export type UsageRow = ReplyOf<typeof creditsLedger.getUsage>['rows'][number];

export type UsageCounts = Omit<UsageRow, 'person_id' | 'via'>;

/** The largest answer: ten keys for a year. */
export const MAX_USAGE_ROWS = 4_000;

/** Throws `usage_range_too_large`. Expects rows read with a limit of one more. */
export const assertFits = (rows: readonly UsageCounts[]) => {
  if (rows.length <= MAX_USAGE_ROWS) return;
  const message = `More than ${MAX_USAGE_ROWS} entries. Ask for fewer days, or for one key.`;
  throw serviceError('usage_range_too_large', { message });
};

/** The sum over all keys. */
export const sumDay = (rows: readonly UsageCounts[]): ReplyOf<typeof creditsLedger.getDayUsage> => {
  const sum = (name: Exclude<keyof UsageCounts, 'date' | 'key_id'>): number =>
    rows.reduce((all, row) => all + row[name], 0);
  return {
    requests: sum('requests'),
    cacheHits: sum('cache_hits'),
    coldDeliveries: sum('cold_deliveries'),
    jobRows: sum('job_rows'),
    searchPages: sum('search_pages'),
    failures: sum('failures'),
    creditsCharged: sum('credits_charged'),
  };
};
