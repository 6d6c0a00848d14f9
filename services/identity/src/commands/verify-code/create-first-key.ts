import { randomBytes, randomUUID } from 'node:crypto';
import type { ReplyOf, verifyCode } from '@tds/contracts';
import { hasHadKey, insertKey } from '../../store/api-keys.ts';
import { insertAuditEntries } from '../../store/audit-entries.ts';
import type { SignIn, Work } from './sign-in.ts';

const FIRST_KEY_NAME = 'default';
const NONCE_BYTES = 12;

/** The key that every account gets once in its life; null where it has had one. */
export const createFirstKey = async (
  { deps, tx, now }: Work,
  { keyDigest, keyPrefix, requestId, clientAddress }: SignIn,
  accountId: string,
): Promise<ReplyOf<typeof verifyCode>['firstKey']> => {
  if (await hasHadKey(tx, accountId)) return null;
  const id = randomUUID();
  await insertKey(tx, {
    id,
    accountId,
    name: FIRST_KEY_NAME,
    prefix: keyPrefix,
    keyedDigest: deps.vault.keyedDigest(keyDigest),
    sealedDigest: deps.vault.seal(keyDigest, id, randomBytes(NONCE_BYTES)),
    createdAt: now,
  });
  await insertAuditEntries(tx, [
    { at: now, action: 'key-created', actor: 'holder', accountId, keyId: id, requestId, clientAddress },
  ]);
  return { id, name: FIRST_KEY_NAME, createdAt: now.toISOString() };
};
