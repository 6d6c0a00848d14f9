import { type ChangedBy, type ServiceError, serviceError } from '@tds/contracts';
import { refusedAsker, type StoredKey } from '../domain/api-key.ts';
import { lockKey } from '../store/account-keys.ts';
import { type Account, lockAccount } from '../store/accounts.ts';
import type { Db } from '../store/database.ts';

type Asked = { readonly accountId: string; readonly by: ChangedBy; readonly now: Date };

/** An account whose keys are about to change, and the key that asks for it; null for a session. */
export type Held = { readonly account: Account; readonly asker: StoredKey | null };

/** Locks both, and says why the key may not change anything. */
export const lockWithAsker = async (
  tx: Db,
  { accountId, by, now }: Asked,
): Promise<Held & { readonly refusal: ServiceError | null }> => {
  const account = await lockAccount(tx, accountId);
  if (by.keyId === null) return { account, asker: null, refusal: null };
  const asker = await lockKey(tx, accountId, by.keyId);
  const refusal = asker === null ? serviceError('invalid_api_key') : refusedAsker(asker, now);
  return { account, asker, refusal };
};

/**
 * Locks the account and the asking key until the transaction ends. All changes to the keys of one account queue here, so a key
 * that one of them has rotated or revoked can change nothing any more. Throws invalid_api_key or key_is_ending.
 */
export const lockForChange = async (tx: Db, asked: Asked): Promise<Held> => {
  const { refusal, ...held } = await lockWithAsker(tx, asked);
  if (refusal) throw refusal;
  return held;
};
