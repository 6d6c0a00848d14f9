import type { getUsage as contract, ReplyOf, RequestOf } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { assertFits, MOST_USAGE_ROWS } from '../domain/usage.ts';
import { isKnownKey, readUsage } from '../store/usage.ts';

export const getUsage =
  ({ db }: Pick<Deps, 'db'>) =>
  async (request: RequestOf<typeof contract>): Promise<ReplyOf<typeof contract>> => {
    const { accountId, keyId } = request;
    const rows = await readUsage(db, request, MOST_USAGE_ROWS + 1);
    assertFits(rows);
    return {
      rows,
      isKnownKey: keyId === null || rows.length > 0 || (await isKnownKey(db, accountId, keyId)),
    };
  };
