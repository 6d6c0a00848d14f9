import { randomUUID } from 'node:crypto';
import { DAY_MS, identity, type ReplyOf, type RequestOf, SECOND_MS } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import type { Deps, Transaction } from '../deps.ts';
import { countedDomainOf, freeMailboxOf, hostsOf } from '../domain/email-address.ts';
import { earlier, later, secondsUntil } from '../domain/time.ts';
import { addKey, findNthNewestKey } from '../keys/index.ts';
import { insertAccount, lockDomain, lockMailbox } from '../store/accounts.ts';
import { audit } from '../store/transact.ts';

const FIRST_KEY_NAME = 'default';
/** A closed account, and a new one of a domain, counts for this long: as long as free credits of a month last. */
const COUNTED_MS = 31 * DAY_MS;

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

/** Inserts an account without a key. */
const insertNewAccount = async (transaction: Transaction, email: string): Promise<{ id: string }> => {
  const { tx, send, now } = transaction;
  const id = randomUUID();
  await insertAccount(tx, { id, email, mailbox: freeMailboxOf(email), createdAt: now });
  await audit(transaction, { action: 'account-created', accountId: id });
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
  email: string,
): Promise<{ id: string } | { refusal: ServiceError }> => {
  const mailbox = { mailbox: freeMailboxOf(email), hosts: hostsOf(email) };
  const since = earlier(transaction.now, COUNTED_MS);
  const { accounts, isDisputed } = await lockMailbox(transaction.tx, mailbox, since);
  if (isDisputed) return { refusal: mailboxDisputed() };
  if (accounts >= deps.config.accountsPerMailbox) return { refusal: mailboxFull() };
  const refusal = await refuseDomain(deps, transaction, email);
  return refusal ? { refusal } : insertNewAccount(transaction, email);
};

/** Creates the account's first key; resolves to null if it ever had a key. */
export const createFirstKey = async (
  transaction: Transaction,
  { keyDigest, keyPrefix }: Pick<RequestOf<typeof identity.verifyCode>, 'keyDigest' | 'keyPrefix'>,
  accountId: string,
): Promise<ReplyOf<typeof identity.verifyCode>['firstKey']> => {
  if (await findNthNewestKey(transaction.tx, { accountId, id: accountId }, 1)) return null;
  const fields = { accountId, personId: accountId, name: FIRST_KEY_NAME, dailyCreditCap: null, slot: 0 };
  const { id } = await addKey(transaction, { ...fields, keyDigest, keyPrefix });
  await audit(transaction, { action: 'key-created', accountId, keyId: id });
  return { id, name: FIRST_KEY_NAME, createdAt: transaction.now.toISOString() };
};
