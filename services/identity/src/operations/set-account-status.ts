import { type AccountStatus, accountStatusChanged } from '@tds/contracts';
import type { CoreDeps } from '../deps.ts';
import { updateAccountStatus } from '../store/accounts.ts';
import { findKeysOfAccount } from '../store/api-keys.ts';
import { type AuditEntry, insertAuditEntries } from '../store/audit-entries.ts';
import { deleteSessionsOfAccount } from '../store/sessions.ts';

type Change = Pick<AuditEntry, 'actor' | 'requestId'> & {
  readonly email: string;
  readonly status: AccountStatus;
};

/**
 * Changes the status of the account with this normalised address. Closing it also ends its sessions. Null where there
 * is no such account or nothing to change.
 */
export const setAccountStatus = async (
  deps: CoreDeps,
  { email, status, actor, requestId }: Change,
): Promise<{ accountId: string; version: number } | null> => {
  const now = deps.now();
  const changed = await deps.messaging.transaction(deps.db, async (tx, send) => {
    const account = await updateAccountStatus(tx, { email, status }, now);
    if (!account) return null;
    const { id: accountId, version } = account;
    if (status === 'closed') await deleteSessionsOfAccount(tx, accountId);
    await insertAuditEntries(tx, [
      { at: now, action: 'account-status-changed', actor, accountId, requestId, detail: status },
    ]);
    await send.emit(accountStatusChanged, { accountId, status, version });
    return { accountId, version };
  });
  if (changed) {
    const keys = await findKeysOfAccount(deps.db, changed.accountId);
    const digests = keys.map(({ id, sealedDigest }) => deps.vault.unseal(sealedDigest, id));
    // Redis may be away: the sweep does the same and is not in a hurry.
    await deps.principals.remove(digests).catch(() => {});
  }
  return changed;
};
