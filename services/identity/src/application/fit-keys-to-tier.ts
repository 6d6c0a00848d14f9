import type { Tier } from '@tds/contracts';
import type { CoreDeps, Transaction } from '../deps.ts';
import { endOfGrace, type StoredKey } from '../domain/api-key.ts';
import { keyLimitOf } from '../domain/key-limit.ts';
import { findPlacedKeys, placeKey } from '../store/account-keys.ts';
import { type AuditEntry, insertAuditEntries } from '../store/audit-entries.ts';
import { emitKeyChangedOf } from './key-changes.ts';

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
