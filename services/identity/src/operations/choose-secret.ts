import type { identity, RequestOf } from '@tds/contracts';
import { findTakenPrefixes } from '../store/account-keys.ts';
import type { Db } from '../store/prisma-client.ts';

type Given = Pick<RequestOf<typeof identity.createKey>, 'accountId' | 'keyDigest' | 'keyPrefix' | 'spares'>;
type Secret = { readonly keyDigest: string; readonly keyPrefix: string };

/**
 * The first of the secrets whose prefix tells its key from all others of the account. Where they are all taken, the first:
 * a prefix is a label. The caller holds the account locked.
 */
export const chooseSecret = async (tx: Db, { accountId, spares = [], ...first }: Given): Promise<Secret> => {
  const secrets = [{ keyDigest: first.keyDigest, keyPrefix: first.keyPrefix }, ...spares];
  const prefixes = secrets.map(({ keyPrefix }) => keyPrefix);
  const taken = new Set(await findTakenPrefixes(tx, accountId, prefixes));
  return secrets.find(({ keyPrefix }) => !taken.has(keyPrefix)) ?? first;
};
