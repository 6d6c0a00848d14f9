import { type AccountStatus, identity, type Tier } from '@tds/contracts';
import { deleteRecordsOfAccount } from '../apps/index.ts';
import type { Author, CoreDeps, Transaction } from '../deps.ts';
import { fitKeysToTier, forgetKeysOfAccounts, revokeKeysOfAccount } from '../keys/index.ts';
import { deleteSessionsOfAccount } from '../sign-in/index.ts';
import { type AccountState, updateAccountStatus, updateAccountTier } from '../store/accounts.ts';
import { audit, transact } from '../store/transact.ts';

type StatusChange = AccountState & { readonly email: string };
type ChangedAccount = { readonly accountId: string; readonly version: number };

/** Applies the consequences of a new status: closing an account ends its sessions and keys. */
export const followStatus = async (transaction: Transaction, accountId: string, status: AccountStatus) => {
  const { tx, now } = transaction;
  let detail: string = status;
  if (status === 'closed') {
    await deleteSessionsOfAccount(tx, accountId);
    await deleteRecordsOfAccount(tx, accountId);
    detail = `closed, keys revoked: ${await revokeKeysOfAccount(tx, accountId, now)}`;
  }
  await audit(transaction, { action: 'account-status-changed', accountId, detail });
};

/** Resolves to null if there is no such account or nothing to change. */
export const changeStatus = async (
  transaction: Transaction,
  change: StatusChange,
): Promise<ChangedAccount | null> => {
  const { tx, send, now } = transaction;
  const account = await updateAccountStatus(tx, change, now);
  if (!account) return null;
  const { id: accountId, version } = account;
  const { status, frozenReason } = change;
  await followStatus(transaction, accountId, status);
  const reason = frozenReason === null ? {} : { frozenReason };
  await send.emit(identity.accountStatusChanged, { accountId, status, version, ...reason });
  return { accountId, version };
};

/**
 * Changes the status of the account with this normalized address on behalf of an operator. Closing it also ends its sessions and keys,
 * which stay ended if it is opened again. Resolves to null if there is no such account or nothing to change.
 */
export const setAccountStatus = async (
  deps: CoreDeps,
  { email, status, ...author }: Author & Omit<StatusChange, 'frozenReason'>,
): Promise<ChangedAccount | null> => {
  const change = { email, status, frozenReason: status === 'frozen' ? 'operator' : null } as const;
  const account = await transact(deps, author, (transaction) => changeStatus(transaction, change));
  if (account) await forgetKeysOfAccounts(deps, [account.accountId]);
  return account;
};

/** What follows a new tier of a locked account. */
export const followTier = async (transaction: Transaction, accountId: string, tier: Tier) => {
  await transaction.send.emit(identity.accountTierChanged, { accountId, tier });
  await fitKeysToTier(transaction, accountId, tier);
  await audit(transaction, { action: 'account-tier-changed', accountId, detail: tier });
};

/**
 * Changes the tier of the account with this normalized address. Keys above the limit of a lower tier end in 24 hours. Resolves to false if
 * there is no such account or nothing to change.
 */
export const setAccountTier = async (
  deps: CoreDeps,
  { email, tier, ...author }: Author & { readonly email: string; readonly tier: Tier },
): Promise<boolean> => {
  const account = await transact(deps, author, async (transaction) => {
    const changed = await updateAccountTier(transaction.tx, { email, tier }, transaction.now);
    if (changed) await followTier(transaction, changed.id, tier);
    return changed;
  });
  if (account) await forgetKeysOfAccounts(deps, [account.id]);
  return account !== null;
};
