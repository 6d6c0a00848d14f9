import type { getLedger as contract, ReplyOf, RequestOf } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { readPage } from '../store/entry-pages.ts';
import { isKnownKey } from '../store/usage.ts';

export const getLedger =
  ({ db }: Pick<Deps, 'db'>) =>
  async (request: RequestOf<typeof contract>): Promise<ReplyOf<typeof contract>> => {
    const { accountId, keyId } = request;
    const page = await readPage(db, request);
    const isSeen = keyId === null || page.total > 0;
    return { ...page, isKnownKey: isSeen || (await isKnownKey(db, accountId, keyId)) };
  };
