import type { getDayUsage as contract, ReplyOf, RequestOf } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { assertFits, MOST_USAGE_ROWS, sumDay } from '../domain/usage.ts';
import { readUsage } from '../store/usage.ts';

export const getDayUsage =
  ({ db }: Pick<Deps, 'db'>) =>
  async ({ accountId, day }: RequestOf<typeof contract>): Promise<ReplyOf<typeof contract>> => {
    const rows = await readUsage(db, { accountId, keyId: null, from: day, to: day }, MOST_USAGE_ROWS + 1);
    assertFits(rows);
    return sumDay(rows);
  };
