import type { identity, ReplyOf } from '@tds/contracts';
import { newKey } from '../../operations/new-key.ts';
import { hasHadKey, insertKey } from '../../store/api-keys.ts';
import { insertAuditEntries } from '../../store/audit-entries.ts';
import type { SignIn, Work } from './work.ts';

const FIRST_KEY_NAME = 'default';

/** The key that every account gets once in its life; null where it has had one. */
export const createFirstKey = async (
  { deps, tx, now }: Work,
  { keyDigest, keyPrefix, requestId, clientAddress }: SignIn,
  accountId: string,
): Promise<ReplyOf<typeof identity.verifyCode>['firstKey']> => {
  if (await hasHadKey(tx, accountId)) return null;
  const given = {
    accountId,
    name: FIRST_KEY_NAME,
    dailyCreditCap: null,
    limitId: null,
    keyDigest,
    keyPrefix,
  };
  const key = newKey(deps, given, now);
  const { id } = key;
  await insertKey(tx, key);
  await insertAuditEntries(tx, [
    { at: now, action: 'key-created', actor: 'holder', accountId, keyId: id, requestId, clientAddress },
  ]);
  return { id, name: FIRST_KEY_NAME, createdAt: now.toISOString() };
};
