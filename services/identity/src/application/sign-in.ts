import { randomUUID } from 'node:crypto';
import { identity, type ReplyOf, type RequestOf, type ServiceError, serviceError } from '@tds/contracts';
import type { Deps, Transaction } from '../deps.ts';
import { domainOf, isDisposableDomain } from '../domain/email-address.ts';
import { newSessionLife } from '../domain/session-life.ts';
import { insertAuditEntries, lockAccountByEmail } from '../store/accounts.ts';
import { deleteSessions, insertSession } from '../store/sessions.ts';
import { spendChallenge } from '../store/sign-in-addresses.ts';
import { createAccount, createFirstKey } from './accounts.ts';

type SignInRequest = Omit<RequestOf<typeof identity.verifyCode>, 'codeProof' | 'acceptTerms'> & {
  readonly challengeId: string;
  readonly requestId: string;
};
type SignInOutcome =
  | Omit<ReplyOf<typeof identity.verifyCode>, 'deviceProof'>
  | { readonly refusal: ServiceError };

/**
 * Spends the code for a session and, at sign-up, an account with its first key: all or nothing. The row of the address serializes sign-ins
 * to it. Throws `code_used` for all callers but one.
 */
export const signIn = async (
  deps: Deps,
  work: Transaction,
  request: SignInRequest,
): Promise<SignInOutcome> => {
  const { tx, now } = work;
  if (!(await spendChallenge(tx, request, now))) throw serviceError('code_used');
  const known = await lockAccountByEmail(tx, request.email);
  if (known?.status === 'closed') return { refusal: serviceError('account_closed') };
  const account = known ?? (await createAccount(deps, work, request));
  if ('refusal' in account) return account;

  const sessionLife = newSessionLife(now);
  const sessionId = randomUUID();
  await insertSession(tx, {
    id: sessionId,
    accountId: account.id,
    keyedDigest: deps.vault.keyedDigest(request.sessionDigest),
    ...sessionLife,
  });
  const { requestId, clientAddress } = request;
  await insertAuditEntries(tx, [
    { at: now, action: 'signed-in', actor: 'holder', accountId: account.id, requestId, clientAddress },
  ]);
  const firstKey = await createFirstKey(deps, work, request, account.id);
  const sessionExpiresAt = sessionLife.expiresAt.toISOString();
  return { accountId: account.id, sessionId, sessionExpiresAt, firstKey };
};

/** Whether the address is disposable: by its domain, or by the domain that receives its mail. */
export const isDisposable = async (
  { mailExchanges, disposableDomains }: Pick<Deps, 'mailExchanges' | 'disposableDomains'>,
  email: string,
): Promise<boolean> => {
  const domain = domainOf(email);
  if (isDisposableDomain(domain, disposableDomains)) return true;
  return (await mailExchanges(domain)).some((host) => isDisposableDomain(host, disposableDomains));
};

/** Ends sessions of one account for good, also after a restore. Resolves to their number. */
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
