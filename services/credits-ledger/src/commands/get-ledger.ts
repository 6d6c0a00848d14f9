import type { getLedger as contract, ReplyOf, RequestOf } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import {
  beginReading,
  findReading,
  newestVersion,
  readEntries,
  readEntriesOfKey,
} from '../store/entry-pages.ts';
import { isKnownKey } from '../store/usage.ts';

type Request = RequestOf<typeof contract>;

/** The entry that the pages of this reading count from. */
async function findAsOf({ db }: Pick<Deps, 'db'>, request: Request): Promise<number> {
  const { accountId, readerId, limit, offset, asOf } = request;
  const newest = await newestVersion(db, accountId);
  if (asOf !== null) return Math.min(asOf, newest);
  const begun = offset > 0 ? await findReading(db, accountId, readerId) : null;
  if (begun !== null) return begun;
  // Who gets everything on one page has no second one to come back for.
  if (offset + limit < newest) await beginReading(db, accountId, readerId, newest);
  return newest;
}

export const getLedger =
  ({ db }: Pick<Deps, 'db'>) =>
  async (request: Request): Promise<ReplyOf<typeof contract>> => {
    const { accountId, keyId, limit, offset } = request;
    const asOf = await findAsOf({ db }, request);
    const page = { accountId, asOf, limit, offset };
    if (keyId === null) {
      return { rows: await readEntries(db, page), asOf, total: asOf, isKnownKey: true };
    }
    const { rows, total } = await readEntriesOfKey(db, keyId, page);
    return { rows, asOf, total, isKnownKey: total > 0 || (await isKnownKey(db, accountId, keyId)) };
  };
