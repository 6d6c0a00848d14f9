import { randomUUID } from 'node:crypto';
import { type AccountStatus, DAY_MS, identity, type ReplyOf, SECOND_MS, type Tier } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import type { CoreDeps, Deps, Transaction } from '../deps.ts';
import { countedDomainOf, freeMailboxOf, hostsOf } from '../domain/email-address.ts';
import { earlier, later, secondsUntil } from '../domain/time.ts';
import { findNthNewestKey, revokeKeysOfAccount } from '../store/account-keys.ts';
import {
  type AccountState,
  type AuditEntry,
  insertAccount,
  insertAuditEntries,
  lockDomain,
  lockMailbox,
  updateAccountStatus,
  updateAccountTier,
} from '../store/accounts.ts';
import { deleteRecordsOfAccount } from '../store/grant-records.ts';
import { deleteSessionsOfAccount } from '../store/sessions.ts';
import { forgetKeysOfAccounts } from './forget-principals.ts';
import { fitKeysToTier } from './key-changes.ts';
import { addKey } from './new-keys.ts';

type ChangeAuthor = Pick<AuditEntry, 'actor' | 'requestId' | 'clientAddress' | 'personId'>;
type StatusChange = ChangeAuthor & AccountState & { readonly email: string };
type TierChange = ChangeAuthor & { readonly email: string; readonly tier: Tier };
type ChangedAccount = { readonly accountId: string; readonly version: number };

/** Applies the consequences of a new status: closing an account ends its sessions and keys. */
export const followStatus = async (
  { tx, now }: Pick<Transaction, 'tx' | 'now'>,
  {
    accountId,
    status,
    ...author
  }: ChangeAuthor & { readonly accountId: string; readonly status: AccountStatus },
) => {
  let detail: string = status;
  if (status === 'closed') {
    await deleteSessionsOfAccount(tx, accountId);
    await deleteRecordsOfAccount(tx, accountId);
    detail = `closed, keys revoked: ${await revokeKeysOfAccount(tx, accountId, now)}`;
  }
  await insertAuditEntries(tx, [{ at: now, action: 'account-status-changed', accountId, detail, ...author }]);
};

/** Resolves to null if there is no such account or nothing to change. */
export const changeStatus = async (
  { tx, send, now }: Transaction,
  { email, status, frozenReason, ...author }: StatusChange,
): Promise<ChangedAccount | null> => {
  const account = await updateAccountStatus(tx, { email, status, frozenReason }, now);
  if (!account) return null;
  const { id: accountId, version } = account;
  await followStatus({ tx, now }, { accountId, status, ...author });
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
  { status, ...request }: Omit<StatusChange, 'frozenReason'>,
): Promise<ChangedAccount | null> => {
  const now = deps.now();
  const change = { ...request, status, frozenReason: status === 'frozen' ? 'operator' : null } as const;
  const account = await deps.messaging.transaction(deps.db, (tx, send) =>
    changeStatus({ tx, send, now }, change),
  );
  if (account) await forgetKeysOfAccounts(deps, [account.accountId]);
  return account;
};

/**
 * Changes the tier of the account with this normalized address. Keys above the limit of a lower tier end in 24 hours. Resolves to false if
 * there is no such account or nothing to change.
 */
export const setAccountTier = async (
  deps: CoreDeps,
  { email, tier, ...author }: TierChange,
): Promise<boolean> => {
  const at = deps.now();
  const changed = await deps.messaging.transaction(deps.db, async (tx, send) => {
    const account = await updateAccountTier(tx, { email, tier }, at);
    if (!account) return null;
    await send.emit(identity.accountTierChanged, { accountId: account.id, tier });
    await fitKeysToTier({ tx, send, now: at }, deps.vault, { accountId: account.id, tier, ...author });
    const entry = { at, action: 'account-tier-changed', accountId: account.id, detail: tier } as const;
    await insertAuditEntries(tx, [{ ...entry, ...author }]);
    return account;
  });
  if (changed) await forgetKeysOfAccounts(deps, [changed.id]);
  return changed !== null;
};

const FIRST_KEY_NAME = 'default';
/** A closed account, and a new one of a domain, counts for this long: as long as free credits of a month last. */
const COUNTED_MS = 31 * DAY_MS;

/** The holder of a new account, and the secret of its first key. */
type NewHolder = {
  readonly email: string;
  readonly keyDigest: string;
  readonly keyPrefix: string;
  readonly requestId: string;
  readonly clientAddress: string;
};

const mailboxFull = (): ServiceError =>
  serviceError('signup_rate_limited', {
    message:
      'Too many accounts use variants of this address. A closed account counts for 31 days. Sign in with one of the others.',
    retryAfterSeconds: DAY_MS / SECOND_MS,
  });

const mailboxDisputed = (): ServiceError =>
  serviceError('account_frozen', {
    message:
      'A payment of another account of this mailbox is disputed. Until that is settled, no account can be opened for this mailbox. Write to support_email.',
  });

/** Who owns a domain may give out any number of mailboxes. */
const domainFull = (retryAfterSeconds: number): ServiceError =>
  serviceError('signup_rate_limited', {
    message:
      'Too many new accounts use addresses at this domain. Use an address of a mail provider, sign in with another account of the domain, or write to support_email.',
    retryAfterSeconds,
  });

type NewAccount = Pick<AuditEntry, 'actor' | 'requestId' | 'clientAddress'> & { readonly email: string };

/** Inserts an account without a key. */
const insertNewAccount = async (
  { tx, send, now }: Transaction,
  { email, ...author }: NewAccount,
): Promise<{ id: string }> => {
  const id = randomUUID();
  await insertAccount(tx, { id, email, mailbox: freeMailboxOf(email), createdAt: now });
  await insertAuditEntries(tx, [{ at: now, action: 'account-created', accountId: id, ...author }]);
  await send.emit(identity.accountCreated, { accountId: id, createdAt: now.toISOString() });
  return { id };
};

/** The refusal of one more free account at the domain of the address, or null. */
const refuseDomain = async ({ config, mailProviders }: Deps, { tx, now }: Transaction, email: string) => {
  const domain = countedDomainOf(email, mailProviders);
  if (domain === null) return null;
  const { accounts, oldest } = await lockDomain(tx, domain, earlier(now, COUNTED_MS));
  if (accounts < config.accountsPerDomain) return null;
  return domainFull(secondsUntil(later(oldest ?? now, COUNTED_MS), now));
};

/** Creates an account, unless the address's mailbox or domain has reached its limit or the mailbox has a disputed payment. */
export const createAccount = async (
  deps: Deps,
  transaction: Transaction,
  { email, requestId, clientAddress }: NewHolder,
): Promise<{ id: string } | { refusal: ServiceError }> => {
  const mailbox = { mailbox: freeMailboxOf(email), hosts: hostsOf(email) };
  const { accounts, isDisputed } = await lockMailbox(
    transaction.tx,
    mailbox,
    earlier(transaction.now, COUNTED_MS),
  );
  if (isDisputed) return { refusal: mailboxDisputed() };
  if (accounts >= deps.config.accountsPerMailbox) return { refusal: mailboxFull() };
  const refusal = await refuseDomain(deps, transaction, email);
  if (refusal) return { refusal };
  return insertNewAccount(transaction, { email, actor: 'holder', requestId, clientAddress });
};

/** Creates the account's first key; resolves to null if it ever had a key. */
export const createFirstKey = async (
  deps: Deps,
  transaction: Transaction,
  { keyDigest, keyPrefix, requestId, clientAddress }: NewHolder,
  accountId: string,
): Promise<ReplyOf<typeof identity.verifyCode>['firstKey']> => {
  const { tx, now } = transaction;
  if (await findNthNewestKey(tx, accountId, 1)) return null;
  const fields = { accountId, personId: accountId, name: FIRST_KEY_NAME, dailyCreditCap: null, slot: 0 };
  const { id } = await addKey(deps, transaction, { ...fields, keyDigest, keyPrefix });
  await insertAuditEntries(tx, [
    { at: now, action: 'key-created', actor: 'holder', accountId, keyId: id, requestId, clientAddress },
  ]);
  return { id, name: FIRST_KEY_NAME, createdAt: now.toISOString() };
};
