import { randomUUID } from 'node:crypto';
import { identity, type ReplyOf, type RequestOf, type ServiceError, serviceError } from '@tds/contracts';
import type { Deps, Transaction } from '../deps.ts';
import { domainOf, isDisposableDomain } from '../domain/email-address.ts';
import { newSessionLife } from '../domain/session-life.ts';
import { insertAuditEntries, lockAccountByEmail } from '../store/accounts.ts';
import { deleteSessions, insertSession } from '../store/sessions.ts';
import { spendChallenge } from '../store/sign-in-addresses.ts';
import { createAccount, createFirstKey } from './accounts.ts';

type SignIn = Omit<RequestOf<typeof identity.verifyCode>, 'codeProof' | 'acceptTerms'> & {
  readonly challengeId: string;
  readonly requestId: string;
};
type Outcome = Omit<ReplyOf<typeof identity.verifyCode>, 'deviceProof'> | { readonly refusal: ServiceError };

/**
 * Spends the code and turns it into a session and, at sign-up, an account with its first key: all or nothing. The row
 * of the address serialises everything that happens to one address. Throws code_used for all but one caller.
 */
export const signIn = async (deps: Deps, work: Transaction, given: SignIn): Promise<Outcome> => {
  const { tx, now } = work;
  if (!(await spendChallenge(tx, given, now))) throw serviceError('code_used');
  const known = await lockAccountByEmail(tx, given.email);
  if (known?.status === 'closed') return { refusal: serviceError('account_closed') };
  const account = known ?? (await createAccount(deps, work, given));
  if ('refusal' in account) return account;

  const sessionLife = newSessionLife(now);
  const sessionId = randomUUID();
  await insertSession(tx, {
    id: sessionId,
    accountId: account.id,
    keyedDigest: deps.vault.keyedDigest(given.sessionDigest),
    ...sessionLife,
  });
  const { requestId, clientAddress } = given;
  await insertAuditEntries(tx, [
    { at: now, action: 'signed-in', actor: 'holder', accountId: account.id, requestId, clientAddress },
  ]);
  const firstKey = await createFirstKey(deps, work, given, account.id);
  const sessionExpiresAt = sessionLife.expiresAt.toISOString();
  return { accountId: account.id, sessionId, sessionExpiresAt, firstKey };
};

/** Whether nobody keeps the address: by its domain, or because a disposable one takes the mail of that. */
export const isDisposable = async (
  { mailExchanges, disposableDomains }: Pick<Deps, 'mailExchanges' | 'disposableDomains'>,
  email: string,
): Promise<boolean> => {
  const domain = domainOf(email);
  if (isDisposableDomain(domain, disposableDomains)) return true;
  return (await mailExchanges(domain)).some((host) => isDisposableDomain(host, disposableDomains));
};

/** Ends sessions of one account for good, also where the database is put back. Resolves to how many there were. */
export const endTheseSessions = async (
  { tx, send }: Pick<Transaction, 'tx' | 'send'>,
  ids: readonly string[],
): Promise<number> => {
  const ended = await deleteSessions(tx, ids);
  const [one] = ended;
  if (one === undefined) return 0;
  await send.emit(identity.sessionsEnded, {
    accountId: one.accountId,
    sessionIds: ended.map(({ id }) => id),
  });
  return ended.length;
};
