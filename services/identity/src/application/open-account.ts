import { randomUUID } from 'node:crypto';
import { identity, type ReplyOf, type ServiceError, serviceError } from '@tds/contracts';
import type { Deps, Transaction } from '../deps.ts';
import { mailboxOf } from '../domain/mailbox.ts';
import { DAY_MS, earlier, SECOND_MS } from '../domain/time.ts';
import { insertAccount, lockMailbox } from '../store/accounts.ts';
import { hasHadKey } from '../store/api-keys.ts';
import { type AuditEntry, insertAuditEntries } from '../store/audit-entries.ts';
import { addKey } from './new-key.ts';

const FIRST_KEY_NAME = 'default';
/** So long a closed account keeps its place: closing one opens no place for another with new free credits. */
const CLOSED_COUNTS_MS = 31 * DAY_MS;

/** Who opens the account, and the secret of its first key. */
type Opening = {
  readonly email: string;
  readonly keyDigest: string;
  readonly keyPrefix: string;
  readonly requestId: string;
  readonly clientAddress: string;
};

const mailboxFull = (): ServiceError =>
  serviceError('signup_rate_limited', {
    message:
      'Too many accounts use variants of this address; a closed one counts for 31 days more. Sign in with one of them.',
    retryAfterSeconds: DAY_MS / SECOND_MS,
  });

const mailboxDisputed = (): ServiceError =>
  serviceError('account_frozen', {
    message:
      'A payment of another account of this mailbox is disputed. No account is opened for the mailbox until that is settled; write to support_email.',
  });

type NewAccount = Pick<AuditEntry, 'actor' | 'requestId' | 'clientAddress'> & { readonly email: string };

/** An account without a key. */
const insertNewAccount = async (
  { tx, send, now }: Transaction,
  { email, ...who }: NewAccount,
): Promise<{ id: string }> => {
  const id = randomUUID();
  await insertAccount(tx, { id, email, mailbox: mailboxOf(email), createdAt: now });
  await insertAuditEntries(tx, [{ at: now, action: 'account-created', accountId: id, ...who }]);
  await send.emit(identity.accountCreated, { accountId: id, createdAt: now.toISOString() });
  return { id };
};

/** A new account, unless the address's mailbox already has as many as it may have, or owes for a disputed payment. */
export const createAccount = async (
  deps: Deps,
  work: Transaction,
  { email, requestId, clientAddress }: Opening,
): Promise<{ id: string } | { refusal: ServiceError }> => {
  const since = earlier(work.now, CLOSED_COUNTS_MS);
  const { accounts, isDisputed } = await lockMailbox(work.tx, mailboxOf(email), since);
  if (isDisputed) return { refusal: mailboxDisputed() };
  if (accounts >= deps.config.accountsPerMailbox) return { refusal: mailboxFull() };
  return insertNewAccount(work, { email, actor: 'holder', requestId, clientAddress });
};

/** The key that every account gets once in its life; null if it has had one. */
export const createFirstKey = async (
  deps: Deps,
  work: Transaction,
  { keyDigest, keyPrefix, requestId, clientAddress }: Opening,
  accountId: string,
): Promise<ReplyOf<typeof identity.verifyCode>['firstKey']> => {
  const { tx, now } = work;
  if (await hasHadKey(tx, accountId)) return null;
  const fields = { accountId, name: FIRST_KEY_NAME, dailyCreditCap: null, slot: 0 };
  const { id } = await addKey(deps, work, { ...fields, keyDigest, keyPrefix });
  await insertAuditEntries(tx, [
    { at: now, action: 'key-created', actor: 'holder', accountId, keyId: id, requestId, clientAddress },
  ]);
  return { id, name: FIRST_KEY_NAME, createdAt: now.toISOString() };
};
