import { type ChangedBy, identity, type Tier } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import type { Author, CoreDeps, Transaction } from '../deps.ts';
import { endOfGrace, refusedAsker, type StoredKey } from '../domain/api-key.ts';
import { keyLimitOf } from '../domain/key-limits.ts';
import { keyStateOf, scopesOf } from '../domain/principal.ts';
import type { Bytes } from '../domain/vault.ts';
import { type Account, lockAccount } from '../store/accounts.ts';
import { findPerson, type Person } from '../store/people.ts';
import { audit, transact } from '../store/transact.ts';
import { forgetPrincipals } from './forget-principals.ts';
import { findPlacedKeys, lockAskingKey, lockKey, placeKey } from './store/account-keys.ts';
import { type ChangingKey, findChangingKey, updateRevocation } from './store/api-keys.ts';

/** The author of a holder's change. */
export const holderOf = ({ keyId, clientAddress, personId }: ChangedBy, requestId: string): Author => ({
  ...{ actor: 'holder', actingKeyId: keyId, clientAddress, personId, requestId },
});

/** Emits the facts of a working key after this transaction. Resolves to its digest. */
const emitKeyChanged = async (
  { send, vault }: Pick<Transaction, 'send' | 'vault'>,
  { id: keyId, encryptedDigest, ...key }: ChangingKey,
) => {
  const { accountId, keyVersion, dailyCreditCap } = key;
  const keyDigest = vault.decrypt(encryptedDigest, keyId);
  const reason = key.overLimit ? ({ overLimit: true } as const) : {};
  const scopes = key.scope ? { scopes: scopesOf(key.scope) } : {};
  const facts = { keyVersion, keyState: keyStateOf(key), dailyCreditCap, ...reason, ...scopes };
  await send.emit(identity.keyChanged, { accountId, keyId, keyDigest, ...facts });
  return keyDigest;
};

/** The same, by the key's id. */
export const emitKeyChangedById = async (transaction: Transaction, keyId: string): Promise<string> =>
  emitKeyChanged(transaction, await findChangingKey(transaction.tx, keyId));

/** The same of an app, to each who knows it by one of its access tokens. */
export const emitAppChanged = async (transaction: Transaction, keyId: string, tokens: readonly Bytes[]) => {
  const key = await findChangingKey(transaction.tx, keyId);
  for (const encryptedDigest of tokens) await emitKeyChanged(transaction, { ...key, encryptedDigest });
};

/** The locked account whose keys change, and the requesting key; null for a session. */
export type AskerLock = {
  readonly account: Account;
  readonly asker: StoredKey | null;
  /** Who acts, as of now. */
  readonly actor: Person;
};

/** Locks both. `refusal` says why the key may not change keys, or null. Throws `role_required` for a person who was removed. */
export const lockWithAsker = async (
  { tx, now, author: { actingKeyId = null, personId } }: Transaction,
  accountId: string,
): Promise<AskerLock & { readonly refusal: ServiceError | null }> => {
  const account = await lockAccount(tx, accountId);
  const asker = actingKeyId === null ? null : await lockAskingKey(tx, accountId, actingKeyId);
  if (actingKeyId !== null && asker === null) throw serviceError('invalid_api_key');
  const actor = await findPerson(tx, accountId, asker?.personId ?? personId ?? accountId);
  if (actor === null) throw serviceError('role_required');
  return { account, asker, actor, refusal: asker && refusedAsker(asker, now) };
};

/**
 * Locks the account and the requesting key until the transaction ends. Changes to the keys of one account run in turn, so a key that was
 * rotated or revoked changes nothing any more. Throws `invalid_api_key` or `key_is_ending`.
 */
export const lockForChange = async (transaction: Transaction, accountId: string): Promise<AskerLock> => {
  const { refusal, ...lock } = await lockWithAsker(transaction, accountId);
  if (refusal) throw refusal;
  return lock;
};

/** Throws `role_required` unless the key is the actor's own, or the actor is an owner. Billing has no keys. */
export const requireOwn = (
  { actor, account }: Pick<AskerLock, 'actor' | 'account'>,
  { personId }: { readonly personId: string | null },
): void => {
  const isOwn = (personId ?? account.id) === actor.id && actor.role !== 'billing';
  if (!isOwn && actor.role !== 'owner') throw serviceError('role_required');
};

/** Locks the key to change. Throws `key_not_found`, and what `requireOwn` throws. */
export const lockOwnKey = async ({ tx }: Transaction, keyId: string, lock: AskerLock): Promise<StoredKey> => {
  const key = await lockKey(tx, lock.account.id, keyId);
  if (!key) throw serviceError('key_not_found');
  requireOwn(lock, key);
  return key;
};

type KeyEnd = {
  readonly keyId: string;
  /** At once by default. */
  readonly revokeAt?: Date;
  /** Whether the key's work ends with it. */
  readonly atOnce: boolean;
};

/** Ends a key at `revokeAt`. Resolves to its digest, or to null if it is unknown or ends before. */
export const endKey = async (
  transaction: Transaction,
  { keyId: requestedId, revokeAt = transaction.now, atOnce }: KeyEnd,
): Promise<string | null> => {
  const { tx, send, now, vault } = transaction;
  const key = await updateRevocation(tx, { keyId: requestedId, revokeAt, atOnce }, now);
  if (!key) return null;
  // The stored id, because the digest is encrypted with it and an operator may type it in capitals.
  const { id: keyId, accountId } = key;
  const detail = `from ${revokeAt.toISOString()}`;
  await audit(transaction, { action: 'key-revoked', accountId, keyId, detail });
  if (revokeAt > now) return emitKeyChanged(transaction, key);
  const keyDigest = vault.decrypt(key.encryptedDigest, keyId);
  await send.emit(identity.keyRevoked, { accountId, keyId, keyDigest, atOnce });
  return keyDigest;
};

/** Revokes a key now, with its work unless `atOnce` is false. Resolves to false if it is unknown or already revoked. */
export const revokeKey = async (
  deps: CoreDeps,
  { keyId, atOnce = true, ...author }: Author & { readonly keyId: string; readonly atOnce?: boolean },
): Promise<boolean> => {
  const keyDigest = await transact(deps, author, (transaction) => endKey(transaction, { keyId, atOnce }));
  if (keyDigest !== null) await forgetPrincipals(deps, [keyDigest]);
  return keyDigest !== null;
};

/**
 * Ends keys of a locked account that exceed its tier's limit in 24 hours, and keeps those that fit again. Keys of the oldest slots stay, so
 * that a rotated key is as old as its predecessor.
 */
export const fitKeysToTier = async (transaction: Transaction, accountId: string, tier: Tier) => {
  const { tx, now } = transaction;
  const place = async ({ id: keyId }: StoredKey, revokeAt: Date | null) => {
    await placeKey(tx, keyId, revokeAt, now);
    const detail = revokeAt
      ? `above the tier's limit, from ${revokeAt.toISOString()}`
      : 'kept: the tier has room again';
    await audit(transaction, { action: revokeAt ? 'key-revoked' : 'key-updated', accountId, keyId, detail });
    await emitKeyChangedById(transaction, keyId);
  };
  const keys = await findPlacedKeys(tx, accountId, now);
  for (const [index, key] of keys.entries()) {
    const hasPlace = index < keyLimitOf(tier);
    if (hasPlace === key.overLimit) await place(key, hasPlace ? null : endOfGrace(now));
  }
};
