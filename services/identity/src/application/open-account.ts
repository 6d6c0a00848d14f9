import { randomUUID } from 'node:crypto';
import { identity, type ReplyOf, type ServiceError, serviceError } from '@tds/contracts';
import type { Deps, Transaction } from '../deps.ts';
import { mailboxOf } from '../domain/mailbox.ts';
import { DAY_MS, SECOND_MS } from '../domain/time.ts';
import { countAccountsOfMailbox, insertAccount } from '../store/accounts.ts';
import { hasHadKey } from '../store/api-keys.ts';
import { insertAuditEntries } from '../store/audit-entries.ts';
import { addKey } from './new-key.ts';

const FIRST_KEY_NAME = 'default';

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
    message: 'Too many accounts use variants of this address. Sign in with one of them.',
    retryAfterSeconds: DAY_MS / SECOND_MS,
  });

/** A new account, unless the address's mailbox already has as many as it may have. */
export const createAccount = async (
  deps: Deps,
  { tx, send, now }: Transaction,
  { email, requestId, clientAddress }: Opening,
): Promise<{ id: string } | { refusal: ServiceError }> => {
  const mailbox = mailboxOf(email);
  if ((await countAccountsOfMailbox(tx, mailbox)) >= deps.config.accountsPerMailbox) {
    return { refusal: mailboxFull() };
  }
  const account = { id: randomUUID(), email, mailbox, createdAt: now };
  await insertAccount(tx, account);
  await insertAuditEntries(tx, [
    { at: now, action: 'account-created', actor: 'holder', accountId: account.id, requestId, clientAddress },
  ]);
  await send.emit(identity.accountCreated, { accountId: account.id, createdAt: now.toISOString() });
  return account;
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
  const fields = { accountId, name: FIRST_KEY_NAME, dailyCreditCap: null, limitId: null };
  const { id } = await addKey(deps, work, { ...fields, keyDigest, keyPrefix });
  await insertAuditEntries(tx, [
    { at: now, action: 'key-created', actor: 'holder', accountId, keyId: id, requestId, clientAddress },
  ]);
  return { id, name: FIRST_KEY_NAME, createdAt: now.toISOString() };
};
