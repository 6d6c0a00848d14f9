import type { Tier } from '@tds/contracts';
import type { Transaction } from '../deps.ts';
import { type Account, lockAccount, updateAccountTier } from '../store/accounts.ts';
import { insertAuditEntries } from '../store/audit-entries.ts';
import {
  deleteDisputed,
  frozenVersionOf,
  insertDisputed,
  statusVersionOf,
} from '../store/disputed-accounts.ts';
import { changeStatus } from './account-changes.ts';

type Customer = { readonly accountId: string; readonly tier: Tier; readonly isDisputed: boolean };
type By = { readonly actor: 'billing'; readonly requestId: string };

const freeze = async (work: Transaction, { id, email, status }: Account, by: By): Promise<void> => {
  const frozen = status === 'active' ? await changeStatus(work, { email, status: 'frozen', ...by }) : null;
  await insertDisputed(work.tx, id, frozen?.version ?? null);
};

/** What somebody else has changed since stays as it is. */
const unfreeze = async (
  work: Transaction,
  { id, email }: Account,
  frozenVersion: number | null,
  by: By,
): Promise<void> => {
  await deleteDisputed(work.tx, id);
  if (frozenVersion === (await statusVersionOf(work.tx, id)))
    await changeStatus(work, { email, status: 'active', ...by });
};

const followDispute = async (
  work: Transaction,
  account: Account,
  isDisputed: boolean,
  by: By,
): Promise<void> => {
  const frozenVersion = await frozenVersionOf(work.tx, account.id);
  if (isDisputed === (frozenVersion !== undefined)) return;
  if (frozenVersion === undefined) await freeze(work, account, by);
  else await unfreeze(work, account, frozenVersion, by);
};

/**
 * Takes over what purchases make of an account: its tier, and a freeze while a bank holds, or keeps, money that was paid. Resolves to
 * whether its tier changed.
 */
export const followCustomer = async (
  work: Transaction,
  { accountId, tier, isDisputed }: Customer,
  requestId: string,
): Promise<boolean> => {
  const { tx, now } = work;
  const by: By = { actor: 'billing', requestId };
  const account = await lockAccount(tx, accountId);
  await followDispute(work, account, isDisputed, by);
  const changed = await updateAccountTier(tx, { email: account.email, tier }, now);
  if (!changed) return false;
  await insertAuditEntries(tx, [{ at: now, action: 'account-tier-changed', accountId, detail: tier, ...by }]);
  return true;
};
