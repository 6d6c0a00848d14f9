import { type billing, identity, type PayloadOf } from '@tds/contracts';
import { createBatcher, isDatabaseAway, type ListenerContext, retryThenSplit } from '@tds/service-kit';
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

type Needed = Pick<Deps, 'db' | 'messaging' | 'now' | 'vault' | 'principals'>;
type Customer = PayloadOf<typeof billing.customerChanged>;
type Context = Pick<ListenerContext, 'onceIfNewest' | 'requestId' | 'record' | 'signal'>;
type Told = { readonly customer: Customer; readonly context: Context };
type By = { readonly actor: 'billing'; readonly requestId: string };

/** As many as a subscription has under way, which then share a commit; one alone waits for nobody. */
const BATCHES = { maxBatch: 32, largeBatch: 32, slowAfterMs: 100, maxCalls: 2 };

const byOf = ({ context }: Told): By => ({ actor: 'billing', requestId: context.requestId });

/** Freezes an active account once, and lifts that freeze only: what an operator has changed since stays as it is. */
const followDispute = async (work: Transaction, account: Account, told: Told): Promise<void> => {
  const { isDisputed } = told.customer;
  if (isDisputed === account.isDisputed) return;
  const { id, email, status, frozenReason } = account;
  await saveDisputed(work.tx, id, isDisputed);
  const by = { email, ...byOf(told) };
  if (isDisputed && status === 'active')
    await changeStatus(work, { status: 'frozen', frozenReason: 'payment_disputed', ...by });
  if (!isDisputed && frozenReason === 'payment_disputed')
    await changeStatus(work, { status: 'active', frozenReason: null, ...by });
};

/** A freeze while a bank holds, or keeps, money that was paid. */
const followDisputes = async (
  work: Transaction,
  accounts: ReadonlyMap<string, Account>,
  news: readonly Told[],
) => {
  for (const told of news) {
    const { accountId } = told.customer;
    const account = accounts.get(accountId);
    if (!account) throw new Error(`there is no account ${accountId}`);
    await followDispute(work, account, told);
  }
};

const followTiers = async (work: Transaction, vault: Deps['vault'], news: readonly Told[]): Promise<void> => {
  const { tx, send, now } = work;
  const changed = await updateTiers(
    tx,
    news.map(({ customer }) => customer),
    now,
  );
  const changes = news.filter(({ customer }) => changed.has(customer.accountId));
  const entries = changes.map((told) => {
    const { accountId, tier: detail } = told.customer;
    return { at: now, action: 'account-tier-changed', accountId, detail, ...byOf(told) } as const;
  });
  for (const told of changes) {
    const { accountId, tier } = told.customer;
    await send.emit(identity.accountTierChanged, { accountId, tier });
    await fitKeysToTier(work, vault, { accountId, tier, ...byOf(told) });
  }
  if (entries.length > 0) await insertAuditEntries(tx, entries);
  for (const { customer, context } of news)
    context.record.add({ isNewTier: changed.has(customer.accountId) });
};

/** In one order: of two batches that meet, one waits for the other. */
const inTurn = (one: Told, other: Told): number =>
  one.customer.accountId.localeCompare(other.customer.accountId) ||
  one.customer.version - other.customer.version;

/** Takes over what is told of customers, all or nothing; of several versions of one only the newest. */
const followTogether = async (deps: Needed, told: readonly Told[]): Promise<null[]> => {
  const now = deps.now();
  await deps.messaging.transaction(deps.db, async (tx, send) => {
    const newest = new Map<string, Told>();
    for (const one of told.toSorted(inTurn))
      await one.context.onceIfNewest(tx, async () => void newest.set(one.customer.accountId, one));
    if (newest.size === 0) return;
    const [work, news] = [{ tx, send, now }, [...newest.values()]];
    const accounts = await lockAccounts(tx, [...newest.keys()]);
    await followDisputes(work, accounts, news);
    await followTiers(work, deps.vault, news);
  });
  await forgetKeysOfAccounts(
    deps,
    told.map(({ customer }) => customer.accountId),
  );
  return told.map(() => null);
};

/**
 * Takes over what purchases make of an account: its tier, and a freeze. What is told at the same time is taken over together; what
 * cannot be fails alone.
 */
export const createFollowCustomer = (deps: Needed) => {
  const failures = { isTransient: isDatabaseAway, giveUp: (error: unknown) => error };
  const call = retryThenSplit((told: readonly Told[]) => followTogether(deps, told), failures);
  const submit = createBatcher({ call, ...BATCHES });
  return async (customer: Customer, context: Context): Promise<void> => {
    await submit({ customer, context }, context.signal);
  };
};
