import { randomUUID } from 'node:crypto';
import { identity, type ServiceError, serviceError } from '@tds/contracts';
import { mailboxOf } from '../../domain/mailbox.ts';
import { DAY_MS, SECOND_MS } from '../../domain/time.ts';
import { countAccountsOfMailbox, insertAccount } from '../../store/accounts.ts';
import { insertAuditEntries } from '../../store/audit-entries.ts';
import type { SignIn, Work } from './work.ts';

const mailboxFull = (): ServiceError =>
  serviceError('signup_rate_limited', {
    message: 'Too many accounts use variants of this address. Sign in with one of them.',
    retryAfterSeconds: DAY_MS / SECOND_MS,
  });

/** A new account, unless variants of the address have as many as a mailbox may have. */
export const createAccount = async (
  { deps, tx, send, now }: Work,
  { email, requestId, clientAddress }: SignIn,
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
