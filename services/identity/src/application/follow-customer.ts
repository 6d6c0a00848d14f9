import { createBatcher, isDatabaseAway, retryThenSplit } from '@tds/base';
import { type billing, identity, type PayloadOf } from '@tds/contracts';
import type { ListenerContext } from '@tds/messaging';
import type { Deps, Transaction } from '../deps.ts';
import {
  type Account,
  insertAuditEntries,
  lockAccounts,
  saveDisputed,
  updateTiers,
} from '../store/accounts.ts';
import { changeStatus } from './accounts.ts';
import { forgetKeysOfAccounts } from './forget-principals.ts';
import { fitKeysToTier } from './key-changes.ts';

type FollowDeps = Pick<Deps, 'db' | 'messaging' | 'now' | 'vault' | 'principals'>;
type Customer = PayloadOf<typeof billing.customerChanged>;
type Context = Pick<ListenerContext, 'onceIfNewest' | 'requestId' | 'record' | 'signal'>;
type CustomerEvent = { readonly customer: Customer; readonly context: Context };
type Author = { readonly actor: 'billing'; readonly requestId: string };

/** Events under way at the same time share a commit; a single one does not wait. */
const BATCHES = { maxBatch: 32, slowAfterMs: 100, maxCalls: 2 };

const authorOf = ({ context }: CustomerEvent): Author => ({ actor: 'billing', requestId: context.requestId });

/** Freezes an active account once, and lifts that freeze only: later changes of an operator stay. */
const followDispute = async (transaction: Transaction, account: Account, event: CustomerEvent) => {
  const { isDisputed } = event.customer;
  if (isDisputed === account.isDisputed) return;
  const { id, email, status, frozenReason } = account;
  await saveDisputed(transaction.tx, id, isDisputed);
  const author = { email, ...authorOf(event) };
  if (isDisputed && status === 'active')
    await changeStatus(transaction, { status: 'frozen', frozenReason: 'payment_disputed', ...author });
  if (!isDisputed && frozenReason === 'payment_disputed')
    await changeStatus(transaction, { status: 'active', frozenReason: null, ...author });
};

const followDisputes = async (
  transaction: Transaction,
  accounts: ReadonlyMap<string, Account>,
  latest: readonly CustomerEvent[],
) => {
  for (const event of latest) {
    const account = accounts.get(event.customer.accountId);
    // An older copy of this database may lack it.
    if (account) await followDispute(transaction, account, event);
  }
};

const followTiers = async (
  transaction: Transaction,
  vault: Deps['vault'],
  latest: readonly CustomerEvent[],
) => {
  const { tx, send, now } = transaction;
  const changedIds = await updateTiers(
    tx,
    latest.map(({ customer }) => customer),
    now,
  );
  const changes = latest.filter(({ customer }) => changedIds.has(customer.accountId));
  const entries = changes.map((event) => {
    const { accountId, tier: detail } = event.customer;
    return { at: now, action: 'account-tier-changed', accountId, detail, ...authorOf(event) } as const;
  });
  for (const event of changes) {
    const { accountId, tier } = event.customer;
    await send.emit(identity.accountTierChanged, { accountId, tier });
    await fitKeysToTier(transaction, vault, { accountId, tier, ...authorOf(event) });
  }
  if (entries.length > 0) await insertAuditEntries(tx, entries);
  for (const { customer, context } of latest)
    context.record.add({ isNewTier: changedIds.has(customer.accountId) });
};

/** One order for all batches, so that two of them cannot block each other. */
const compareEvents = (one: CustomerEvent, other: CustomerEvent): number =>
  one.customer.accountId.localeCompare(other.customer.accountId) ||
  one.customer.version - other.customer.version;

/** Applies events in one transaction; of several versions of a customer only the newest. */
const followTogether = async (deps: FollowDeps, events: readonly CustomerEvent[]) => {
  const now = deps.now();
  await deps.messaging.transaction(deps.db, async (tx, send) => {
    const newest = new Map<string, CustomerEvent>();
    for (const one of events.toSorted(compareEvents))
      await one.context.onceIfNewest(tx, async () => void newest.set(one.customer.accountId, one));
    if (newest.size === 0) return;
    const [transaction, latest] = [{ tx, send, now }, [...newest.values()]];
    const accounts = await lockAccounts(tx, [...newest.keys()]);
    await followDisputes(transaction, accounts, latest);
    await followTiers(transaction, deps.vault, latest);
  });
  await forgetKeysOfAccounts(
    deps,
    events.map(({ customer }) => customer.accountId),
  );
  return events.map(() => null);
};

/** Applies a customer's tier and disputes to its account. Events that arrive together share a transaction; an invalid one fails alone. */
export const createFollowCustomer = (deps: FollowDeps) => {
  const call = retryThenSplit((events: readonly CustomerEvent[]) => followTogether(deps, events), {
    isTransient: isDatabaseAway,
  });
  const submit = createBatcher({ call, ...BATCHES });
  return async (customer: Customer, context: Context): Promise<void> => {
    await submit({ customer, context }, context.signal);
  };
};
