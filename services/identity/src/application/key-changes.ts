import { type ChangedBy, identity, type Tier } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import type { CoreDeps, Transaction } from '../deps.ts';
import { endOfGrace, refusedAsker, type StoredKey } from '../domain/api-key.ts';
import { keyLimitOf } from '../domain/key-limits.ts';
import { keyStateOf } from '../domain/principal.ts';
import { findPlacedKeys, lockAskingKey, placeKey } from '../store/account-keys.ts';
import { type Account, type AuditEntry, insertAuditEntries, lockAccount } from '../store/accounts.ts';
import { type ChangingKey, findChangingKey, updateRevocation } from '../store/api-keys.ts';
import type { Db } from '../store/database.ts';
import { findPerson, type Person } from '../store/people.ts';
import { forgetPrincipals } from './forget-principals.ts';

type KeyChange = Pick<AuditEntry, 'at' | 'action' | 'accountId' | 'requestId' | 'detail'> & {
  readonly keyId: string;
  readonly by: ChangedBy;
};

/** The author of a holder's change in the audit. */
export const holderOf = ({ keyId, clientAddress, personId }: ChangedBy) =>
  ({ actor: 'holder', actingKeyId: keyId, clientAddress, personId }) as const;

/** Audits a holder's change of a key. */
export const auditKeyChange = (tx: Db, { by, ...change }: KeyChange) =>
  insertAuditEntries(tx, [{ ...change, ...holderOf(by) }]);

/** Emits the facts of a working key after this transaction. Resolves to its digest. */
const emitKeyChanged = async (
  { send }: Pick<Transaction, 'send'>,
  vault: CoreDeps['vault'],
  { id: keyId, sealedDigest, ...key }: ChangingKey,
) => {
  const { accountId, keyVersion, dailyCreditCap } = key;
  const keyDigest = vault.unseal(sealedDigest, keyId);
  const reason = key.overLimit ? ({ overLimit: true } as const) : {};
  const facts = { keyVersion, keyState: keyStateOf(key), dailyCreditCap, ...reason };
  await send.emit(identity.keyChanged, { accountId, keyId, keyDigest, ...facts });
  return keyDigest;
};

/** The same, by the key's id. */
export const emitKeyChangedById = async (
  { tx, send }: Pick<Transaction, 'tx' | 'send'>,
  vault: CoreDeps['vault'],
  keyId: string,
): Promise<string> => emitKeyChanged({ send }, vault, await findChangingKey(tx, keyId));

type ChangeRequest = { readonly accountId: string; readonly by: ChangedBy; readonly now: Date };

/** The locked account whose keys change, and the requesting key; null for a session. */
export type AskerLock = {
  readonly account: Account;
  readonly asker: StoredKey | null;
  /** Who acts, as of now. */
  readonly actor: Person;
};

/** Locks both. `refusal` says why the key may not change keys, or null. Throws `role_required` for a person who was removed. */
export const lockWithAsker = async (
  tx: Db,
  { accountId, by, now }: ChangeRequest,
): Promise<AskerLock & { readonly refusal: ServiceError | null }> => {
  const account = await lockAccount(tx, accountId);
  const asker = by.keyId === null ? null : await lockAskingKey(tx, accountId, by.keyId);
  if (by.keyId !== null && asker === null) throw serviceError('invalid_api_key');
  const actor = await findPerson(tx, accountId, asker?.personId ?? by.personId ?? accountId);
  if (actor === null) throw serviceError('role_required');
  return { account, asker, actor, refusal: asker && refusedAsker(asker, now) };
};

/**
 * Locks the account and the requesting key until the transaction ends. Changes to the keys of one account run in turn, so a key that was
 * rotated or revoked changes nothing any more. Throws `invalid_api_key` or `key_is_ending`.
 */
export const lockForChange = async (tx: Db, request: ChangeRequest): Promise<AskerLock> => {
  const { refusal, ...lock } = await lockWithAsker(tx, request);
  if (refusal) throw refusal;
  return lock;
};

type ChangeAuthor = Pick<AuditEntry, 'actor' | 'requestId' | 'actingKeyId' | 'clientAddress' | 'personId'>;

/** Throws `role_required` unless the key is the actor's own, or the actor is an owner. Billing has no keys. */
export const requireOwn = (
  { actor, account }: Pick<AskerLock, 'actor' | 'account'>,
  { personId }: { readonly personId: string | null },
): void => {
  const isOwn = (personId ?? account.id) === actor.id && actor.role !== 'billing';
  if (!isOwn && actor.role !== 'owner') throw serviceError('role_required');
};
type KeyEnd = ChangeAuthor & {
  readonly keyId: string;
  readonly revokeAt: Date;
  /** Whether the key's work ends with it. */
  readonly atOnce: boolean;
};

/** Ends a key at `revokeAt`. Resolves to its digest, or to null if it is unknown or ends before. */
export const endKey = async (
  { tx, send, now }: Transaction,
  vault: CoreDeps['vault'],
  { keyId: requestedId, revokeAt, atOnce, ...author }: KeyEnd,
): Promise<string | null> => {
  const key = await updateRevocation(tx, { keyId: requestedId, revokeAt, atOnce }, now);
  if (!key) return null;
  // The stored id, because the digest is sealed with it and an operator may type it in capitals.
  const { id: keyId, accountId } = key;
  const detail = `from ${revokeAt.toISOString()}`;
  await insertAuditEntries(tx, [{ at: now, action: 'key-revoked', accountId, keyId, detail, ...author }]);
  if (revokeAt > now) return emitKeyChanged({ send }, vault, key);
  const keyDigest = vault.unseal(key.sealedDigest, keyId);
  await send.emit(identity.keyRevoked, { accountId, keyId, keyDigest, atOnce });
  return keyDigest;
};

/** Revokes a key now, with its work unless `atOnce` is false. Resolves to false if it is unknown or already revoked. */
export const revokeKey = async (
  deps: CoreDeps,
  revocation: ChangeAuthor & { readonly keyId: string; readonly atOnce?: boolean },
): Promise<boolean> => {
  const now = deps.now();
  const keyDigest = await deps.messaging.transaction(deps.db, (tx, send) =>
    endKey({ tx, send, now }, deps.vault, { revokeAt: now, atOnce: true, ...revocation }),
  );
  if (keyDigest === null) return false;
  await forgetPrincipals(deps, [keyDigest]);
  return true;
};

type TierFit = Pick<AuditEntry, 'actor' | 'requestId'> & { readonly accountId: string; readonly tier: Tier };

/**
 * Ends keys of a locked account that exceed its tier's limit in 24 hours, and keeps those that fit again. Keys of the oldest slots stay, so
 * that a rotated key is as old as its predecessor.
 */
export const fitKeysToTier = async (
  transaction: Transaction,
  vault: CoreDeps['vault'],
  { accountId, tier, ...author }: TierFit,
) => {
  const { tx, now } = transaction;
  const place = async ({ id: keyId }: StoredKey, revokeAt: Date | null) => {
    await placeKey(tx, keyId, revokeAt, now);
    const detail = revokeAt
      ? `above the tier's limit, from ${revokeAt.toISOString()}`
      : 'kept: the tier has room again';
    const action = revokeAt ? 'key-revoked' : 'key-updated';
    await insertAuditEntries(tx, [{ at: now, action, accountId, keyId, detail, ...author }]);
    await emitKeyChangedById(transaction, vault, keyId);
  };
  const keys = await findPlacedKeys(tx, accountId, now);
  for (const [index, key] of keys.entries()) {
    const hasPlace = index < keyLimitOf(tier);
    if (hasPlace === key.overLimit) await place(key, hasPlace ? null : endOfGrace(now));
  }
};
