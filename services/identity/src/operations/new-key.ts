import { randomBytes, randomUUID } from 'node:crypto';
import type { CoreDeps } from '../deps.ts';
import type { NewKey } from '../store/api-keys.ts';

const NONCE_BYTES = 12;

/** The row of a key whose secret the gateway made. */
export const newKey = (
  { vault }: Pick<CoreDeps, 'vault'>,
  given: Pick<NewKey, 'accountId' | 'name' | 'dailyCreditCap' | 'limitId'> & {
    keyDigest: string;
    keyPrefix: string;
  },
  now: Date,
): NewKey => {
  const id = randomUUID();
  const { accountId, name, dailyCreditCap, limitId, keyDigest, keyPrefix } = given;
  return {
    ...{ id, accountId, name, dailyCreditCap, limitId },
    prefix: keyPrefix,
    keyedDigest: vault.keyedDigest(keyDigest),
    sealedDigest: vault.seal(keyDigest, id, randomBytes(NONCE_BYTES)),
    createdAt: now,
  };
};
