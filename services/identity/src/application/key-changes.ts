import { type ChangedBy, identity, type ServiceError, serviceError, type Tier } from '@tds/contracts';
import type { CoreDeps, Transaction } from '../deps.ts';
import { endOfGrace, refusedAsker, type StoredKey } from '../domain/api-key.ts';
import { keyLimitOf } from '../domain/key-limits.ts';
import { keyStateOf } from '../domain/principal.ts';
import { findPlacedKeys, lockKey, placeKey } from '../store/account-keys.ts';
import { type Account, type AuditEntry, insertAuditEntries, lockAccount } from '../store/accounts.ts';
import { type ChangingKey, findChangingKey, updateRevocation } from '../store/api-keys.ts';
import type { Db } from '../store/database.ts';
import { forgetPrincipals } from './forget-principals.ts';

type KeyChange = Pick<AuditEntry, 'at' | 'action' | 'accountId' | 'requestId' | 'detail'> & {
  readonly keyId: string;
  readonly by: ChangedBy;
};

/** Who a holder's change is attributed to. */
export const holderOf = ({ keyId, clientAddress }: ChangedBy) =>
  ({ actor: 'holder', actingKeyId: keyId, clientAddress }) as const;

/** Records a change that its holder made to a key. */
export const auditKeyChange = (tx: Db, { by, ...change }: KeyChange): Promise<void> =>
  insertAuditEntries(tx, [{ ...change, ...holderOf(by) }]);

/** Emits the state of a key that goes on working, as this transaction leaves it. Resolves to its digest. */
const emitKeyChanged = async (
  { send }: Pick<Transaction, 'send'>,
  vault: CoreDeps['vault'],
  { id: keyId, sealedDigest, ...key }: ChangingKey,
): Promise<string> => {
  const { accountId, keyVersion, dailyCreditCap } = key;
  const keyDigest = vault.unseal(sealedDigest, keyId);
  const reason = key.overLimit ? ({ overLimit: true } as const) : {};
  const facts = { keyVersion, keyState: keyStateOf(key), dailyCreditCap, ...reason };
  await send.emit(identity.keyChanged, { accountId, keyId, keyDigest, ...facts });
  return keyDigest;
};

/** The same for a key of which only the id is at hand. */
export const emitKeyChangedOf = async (
  { tx, send }: Pick<Transaction, 'tx' | 'send'>,
  vault: CoreDeps['vault'],
  keyId: string,
): Promise<string> => emitKeyChanged({ send }, vault, await findChangingKey(tx, keyId));

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

type Who = Pick<AuditEntry, 'actor' | 'requestId' | 'actingKeyId' | 'clientAddress'>;
type KeyEnd = Who & {
  readonly keyId: string;
  readonly revokeAt: Date;
  /** Whether what the key began ends with it. */
  readonly atOnce: boolean;
};

/** Lets a key end at `revokeAt`. Resolves to its digest; null if it is unknown or revoked by then anyway. */
export const endKey = async (
  { tx, send, now }: Transaction,
  vault: CoreDeps['vault'],
  { keyId: asked, revokeAt, atOnce, ...who }: KeyEnd,
): Promise<string | null> => {
  const key = await updateRevocation(tx, { keyId: asked, revokeAt, atOnce }, now);
  if (!key) return null;
  // The id as it is stored, since the digest is sealed with it: an operator may have typed it in capitals.
  const { id: keyId, accountId } = key;
  const detail = `from ${revokeAt.toISOString()}`;
  await insertAuditEntries(tx, [{ at: now, action: 'key-revoked', accountId, keyId, detail, ...who }]);
  if (revokeAt > now) return emitKeyChanged({ send }, vault, key);
  const keyDigest = vault.unseal(key.sealedDigest, keyId);
  await send.emit(identity.keyRevoked, { accountId, keyId, keyDigest, atOnce });
  return keyDigest;
};

/** Revokes a key now, and what it began unless `atOnce` is false. False if it is unknown or revoked already. */
export const revokeKey = async (
  deps: CoreDeps,
  revocation: Who & { readonly keyId: string; readonly atOnce?: boolean },
): Promise<boolean> => {
  const now = deps.now();
  const keyDigest = await deps.messaging.transaction(deps.db, (tx, send) =>
    endKey({ tx, send, now }, deps.vault, { revokeAt: now, atOnce: true, ...revocation }),
  );
  if (keyDigest === null) return false;
  await forgetPrincipals(deps, [keyDigest]);
  return true;
};

type Fit = Pick<AuditEntry, 'actor' | 'requestId'> & { readonly accountId: string; readonly tier: Tier };

/**
 * Lets the keys of a locked account that its tier has no place for end in 24 hours, and lets those go on for which it has one again.
 * The keys of the slots that were made first stay, so that a rotated key is as old as the one before it.
 */
export const fitKeysToTier = async (
  work: Transaction,
  vault: CoreDeps['vault'],
  { accountId, tier, ...who }: Fit,
): Promise<void> => {
  const { tx, now } = work;
  const place = async ({ id: keyId }: StoredKey, revokeAt: Date | null) => {
    await placeKey(tx, keyId, revokeAt, now);
    const detail = revokeAt
      ? `beyond the tier, from ${revokeAt.toISOString()}`
      : 'goes on: the tier has room again';
    const action = revokeAt ? 'key-revoked' : 'key-updated';
    await insertAuditEntries(tx, [{ at: now, action, accountId, keyId, detail, ...who }]);
    await emitKeyChangedOf(work, vault, keyId);
  };
  const keys = await findPlacedKeys(tx, accountId, now);
  for (const [index, key] of keys.entries()) {
    const hasPlace = index < keyLimitOf(tier);
    if (hasPlace === key.overLimit) await place(key, hasPlace ? null : endOfGrace(now));
  }
};
