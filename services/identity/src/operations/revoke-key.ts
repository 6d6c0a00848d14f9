import { keyRevoked } from '@tds/contracts';
import type { CoreDeps } from '../deps.ts';
import { updateRevocation } from '../store/api-keys.ts';
import { type AuditEntry, insertAuditEntries } from '../store/audit-entries.ts';

type Revocation = Pick<AuditEntry, 'actor' | 'requestId'> & {
  readonly keyId: string;
  readonly revokeAt?: Date;
};

/**
 * Revokes a key, at once unless `revokeAt` says when. False where it is unknown or revoked by then anyway. The sweep
 * removes the projected entry within seconds whatever happens to this process; removing it here is for speed.
 */
export const revokeKey = async (
  deps: CoreDeps,
  { keyId, actor, requestId, revokeAt }: Revocation,
): Promise<boolean> => {
  const now = deps.now();
  const at = revokeAt ?? now;
  const keyDigest = await deps.messaging.transaction(deps.db, async (tx, send) => {
    const key = await updateRevocation(tx, { keyId, revokeAt: at }, now);
    if (!key) return null;
    const { accountId } = key;
    const digest = deps.vault.unseal(key.sealedDigest, keyId);
    const detail = `from ${at.toISOString()}`;
    await insertAuditEntries(tx, [
      { at: now, action: 'key-revoked', actor, accountId, keyId, requestId, detail },
    ]);
    if (at <= now) await send.emit(keyRevoked, { accountId, keyId, keyDigest: digest });
    return digest;
  });
  if (keyDigest === null) return false;
  // Redis may be away: the sweep does the same and is not in a hurry.
  await deps.principals.remove([keyDigest]).catch(() => {});
  return true;
};
