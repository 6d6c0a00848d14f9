import { type AccountStatus, identity } from '@tds/contracts';
import type { CoreDeps } from '../deps.ts';
import { revokeKeysOfAccount } from '../store/account-keys.ts';
import { updateAccountStatus } from '../store/accounts.ts';
import { type AuditEntry, insertAuditEntries } from '../store/audit-entries.ts';
import { deleteSessionsOfAccount } from '../store/sessions.ts';
import { forgetKeysOfAccount } from './forget-principals.ts';
import type { OperationWork } from './work.ts';

type Change = Pick<AuditEntry, 'actor' | 'requestId' | 'clientAddress'> & {
  readonly email: string;
  readonly status: AccountStatus;
};
type Changed = { readonly accountId: string; readonly version: number };

/** Null where there is no such account or nothing to change. */
export const changeStatus = async (
  { tx, send, now }: OperationWork,
  { email, status, ...who }: Change,
): Promise<Changed | null> => {
  const account = await updateAccountStatus(tx, { email, status }, now);
  if (!account) return null;
  const { id: accountId, version } = account;
  let detail: string = status;
  if (status === 'closed') {
    await deleteSessionsOfAccount(tx, accountId);
    detail = `closed, keys revoked: ${await revokeKeysOfAccount(tx, accountId, now)}`;
  }
  await insertAuditEntries(tx, [{ at: now, action: 'account-status-changed', accountId, detail, ...who }]);
  await send.emit(identity.accountStatusChanged, { accountId, status, version });
  return { accountId, version };
};

/**
 * Changes the status of the account with this normalised address. Closing it also ends its sessions and keys, which
 * stay ended if it is ever opened again. Null where there is no such account or nothing to change.
 */
export const setAccountStatus = async (deps: CoreDeps, change: Change): Promise<Changed | null> => {
  const now = deps.now();
  const changed = await deps.messaging.transaction(deps.db, (tx, send) =>
    changeStatus({ tx, send, now }, change),
  );
  if (changed) await forgetKeysOfAccount(deps, changed.accountId);
  return changed;
};
