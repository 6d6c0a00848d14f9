import type { getLedger as contract, ReplyOf, RequestOf } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { readPage } from '../store/entry-pages.ts';
import { isKnownKey } from '../store/usage.ts';

export const getLedger =
  ({ db, sql }: Pick<Deps, 'db' | 'sql'>) =>
  async (request: RequestOf<typeof contract>): Promise<ReplyOf<typeof contract>> => {
    const { accountId, keyId } = request;
    const page = await readPage(sql, request);
    const isSeen = keyId === null || page.total > 0;
    return { ...page, isKnownKey: isSeen || (await isKnownKey(db, accountId, keyId)) };
  };
