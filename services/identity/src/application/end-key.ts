import { identity } from '@tds/contracts';
import type { CoreDeps, Transaction } from '../deps.ts';
import { updateRevocation } from '../store/api-keys.ts';
import { type AuditEntry, insertAuditEntries } from '../store/audit-entries.ts';
import { forgetPrincipals } from './forget-principals.ts';
import { emitKeyChanged } from './key-changes.ts';

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
