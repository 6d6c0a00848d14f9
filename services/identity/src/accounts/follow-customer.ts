import { createBatcher, isDatabaseAway, retryThenSplit } from '@tds/base';
import type { billing, PayloadOf } from '@tds/contracts';
import type { ListenerContext } from '@tds/messaging';
import type { Author, Deps, Transaction } from '../deps.ts';
import { forgetKeysOfAccounts } from '../keys/index.ts';
import { type Account, lockAccounts, saveDisputed, updateTiers } from '../store/accounts.ts';
import { changeStatus, followTier } from './accounts.ts';

type FollowDeps = Pick<Deps, 'db' | 'messaging' | 'now' | 'vault' | 'principals'>;
type Customer = PayloadOf<typeof billing.customerChanged>;
type Context = Pick<ListenerContext, 'onceIfNewest' | 'requestId' | 'record' | 'signal'>;
type CustomerEvent = { readonly customer: Customer; readonly context: Context };
type EventTransaction = Omit<Transaction, 'author'>;

/** Events under way at the same time share a commit; a single one does not wait. */
const BATCHES = { maxBatch: 32, slowAfterMs: 100, maxCalls: 2 };

const authorOf = ({ context }: CustomerEvent): Author => ({ actor: 'billing', requestId: context.requestId });

/** Freezes an active account once, and lifts that freeze only: later changes of an operator stay. */
const followDispute = async (transaction: EventTransaction, account: Account, event: CustomerEvent) => {
  const { isDisputed } = event.customer;
  if (isDisputed === account.isDisputed) return;
  const { id, email, status, frozenReason } = account;
  await saveDisputed(transaction.tx, id, isDisputed);
  const ofEvent = { ...transaction, author: authorOf(event) };
  if (isDisputed && status === 'active')
    await changeStatus(ofEvent, { email, status: 'frozen', frozenReason: 'payment_disputed' });
  if (!isDisputed && frozenReason === 'payment_disputed')
    await changeStatus(ofEvent, { email, status: 'active', frozenReason: null });
};

const followTiers = async (transaction: EventTransaction, latest: readonly CustomerEvent[]) => {
  const customers = latest.map(({ customer }) => customer);
  const changedIds = await updateTiers(transaction.tx, customers, transaction.now);
  for (const event of latest) {
    const { accountId, tier } = event.customer;
    const isNewTier = changedIds.has(accountId);
    if (isNewTier) await followTier({ ...transaction, author: authorOf(event) }, accountId, tier);
    event.context.record.add({ isNewTier });
  }
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
    const transaction = { tx, send, now, vault: deps.vault };
    const accounts = await lockAccounts(tx, [...newest.keys()]);
    for (const [accountId, event] of newest) {
      const account = accounts.get(accountId);
      // An older copy of this database may lack it.
      if (account) await followDispute(transaction, account, event);
    }
    await followTiers(transaction, [...newest.values()]);
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
