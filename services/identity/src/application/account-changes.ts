import { type AccountStatus, identity, type Tier } from '@tds/contracts';
import type { CoreDeps, Transaction } from '../deps.ts';
import { revokeKeysOfAccount } from '../store/account-keys.ts';
import { type AccountState, updateAccountStatus, updateAccountTier } from '../store/accounts.ts';
import { type AuditEntry, insertAuditEntries } from '../store/audit-entries.ts';
import { deleteSessionsOfAccount } from '../store/sessions.ts';
import { fitKeysToTier } from './fit-keys-to-tier.ts';
import { forgetKeysOfAccount } from './forget-principals.ts';

type Who = Pick<AuditEntry, 'actor' | 'requestId' | 'clientAddress'>;
type StatusChange = Who & AccountState & { readonly email: string };
type TierChange = Who & { readonly email: string; readonly tier: Tier };
type Changed = { readonly accountId: string; readonly version: number };

/** What a new status brings along: closing an account ends its sessions and keys. */
export const followStatus = async (
  { tx, now }: Pick<Transaction, 'tx' | 'now'>,
  { accountId, status, ...who }: Who & { readonly accountId: string; readonly status: AccountStatus },
): Promise<void> => {
  let detail: string = status;
  if (status === 'closed') {
    await deleteSessionsOfAccount(tx, accountId);
    detail = `closed, keys revoked: ${await revokeKeysOfAccount(tx, accountId, now)}`;
  }
  await insertAuditEntries(tx, [{ at: now, action: 'account-status-changed', accountId, detail, ...who }]);
};

/** Null if there is no such account or nothing to change. */
export const changeStatus = async (
  { tx, send, now }: Transaction,
  { email, status, frozenReason, ...who }: StatusChange,
): Promise<Changed | null> => {
  const account = await updateAccountStatus(tx, { email, status, frozenReason }, now);
  if (!account) return null;
  const { id: accountId, version } = account;
  await followStatus({ tx, now }, { accountId, status, ...who });
  const reason = frozenReason === null ? {} : { frozenReason };
  await send.emit(identity.accountStatusChanged, { accountId, status, version, ...reason });
  return { accountId, version };
};

/**
 * Changes the status of the account with this normalised address, as an operator does. Closing it also ends its sessions and keys, which
 * stay ended if it is ever opened again. Null if there is no such account or nothing to change.
 */
export const setAccountStatus = async (
  deps: CoreDeps,
  { status, ...given }: Omit<StatusChange, 'frozenReason'>,
): Promise<Changed | null> => {
  const now = deps.now();
  const change = { ...given, status, frozenReason: status === 'frozen' ? 'operator' : null } as const;
  const changed = await deps.messaging.transaction(deps.db, (tx, send) =>
    changeStatus({ tx, send, now }, change),
  );
  if (changed) await forgetKeysOfAccount(deps, changed.accountId);
  return changed;
};

/**
 * Changes the tier of the account with this normalised address. Keys that a lower one has no place for end in 24 hours. False
 * if there is no such account or nothing to change.
 */
export const setAccountTier = async (
  deps: CoreDeps,
  { email, tier, ...who }: TierChange,
): Promise<boolean> => {
  const at = deps.now();
  const changed = await deps.messaging.transaction(deps.db, async (tx, send) => {
    const account = await updateAccountTier(tx, { email, tier }, at);
    if (!account) return null;
    await send.emit(identity.accountTierChanged, { accountId: account.id, tier });
    await fitKeysToTier({ tx, send, now: at }, deps.vault, { accountId: account.id, tier, ...who });
    const entry = { at, action: 'account-tier-changed', accountId: account.id, detail: tier } as const;
    await insertAuditEntries(tx, [{ ...entry, ...who }]);
    return account;
  });
  if (changed) await forgetKeysOfAccount(deps, changed.id);
  return changed !== null;
};
