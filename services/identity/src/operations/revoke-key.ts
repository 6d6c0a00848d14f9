import { identity } from '@tds/contracts';
import type { CoreDeps } from '../deps.ts';
import { updateRevocation } from '../store/api-keys.ts';
import { type AuditEntry, insertAuditEntries } from '../store/audit-entries.ts';
import { forgetPrincipals } from './forget-principals.ts';
import { tellKeyChange } from './tell-key-change.ts';
import type { OperationWork } from './work.ts';

type Who = Pick<AuditEntry, 'actor' | 'requestId' | 'actingKeyId' | 'clientAddress'>;
type KeyEnd = Who & { readonly keyId: string; readonly revokeAt: Date };

/** Lets a key end at `revokeAt`. Resolves to its digest; null where it is unknown or revoked by then anyway. */
export const endKey = async (
  { tx, send, now }: OperationWork,
  vault: CoreDeps['vault'],
  { keyId: asked, revokeAt, ...who }: KeyEnd,
): Promise<string | null> => {
  const key = await updateRevocation(tx, { keyId: asked, revokeAt }, now);
  if (!key) return null;
  // As it is kept, which is what the digest is sealed with: operators may write an id in capitals.
  const { id: keyId, accountId } = key;
  const detail = `from ${revokeAt.toISOString()}`;
  await insertAuditEntries(tx, [{ at: now, action: 'key-revoked', accountId, keyId, detail, ...who }]);
  if (revokeAt > now) return tellKeyChange({ send }, vault, key);
  const keyDigest = vault.unseal(key.sealedDigest, keyId);
  await send.emit(identity.keyRevoked, { accountId, keyId, keyDigest });
  return keyDigest;
};

/** Revokes a key, at once unless `revokeAt` says when. False where it is unknown or revoked by then anyway. */
export const revokeKey = async (
  deps: CoreDeps,
  revocation: Who & { readonly keyId: string; readonly revokeAt?: Date },
): Promise<boolean> => {
  const now = deps.now();
  const keyDigest = await deps.messaging.transaction(deps.db, (tx, send) =>
    endKey({ tx, send, now }, deps.vault, { revokeAt: now, ...revocation }),
  );
  if (keyDigest === null) return false;
  await forgetPrincipals(deps, [keyDigest]);
  return true;
};
