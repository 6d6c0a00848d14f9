import type { Tier } from '@tds/contracts';
import type { CoreDeps } from '../deps.ts';
import { updateAccountTier } from '../store/accounts.ts';
import { type AuditEntry, insertAuditEntries } from '../store/audit-entries.ts';
import { forgetKeysOfAccount } from './forget-principals.ts';

type Change = Pick<AuditEntry, 'actor' | 'requestId'> & { readonly email: string; readonly tier: Tier };

/**
 * Changes the tier of the account with this normalised address. Keys above the new tier's limit go on working. False
 * where there is no such account or nothing to change.
 */
export const setAccountTier = async (deps: CoreDeps, { email, tier, ...who }: Change): Promise<boolean> => {
  const now = deps.now();
  const changed = await deps.messaging.transaction(deps.db, async (tx) => {
    const account = await updateAccountTier(tx, { email, tier }, now);
    if (!account) return null;
    const entry = {
      at: now,
      action: 'account-tier-changed',
      accountId: account.id,
      detail: tier,
      ...who,
    } as const;
    await insertAuditEntries(tx, [entry]);
    return account;
  });
  if (changed) await forgetKeysOfAccount(deps, changed.id);
  return changed !== null;
};
