import { randomUUID } from 'node:crypto';
import { identity, type ReplyOf, type RequestOf } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import type { Deps, Transaction } from '../deps.ts';
import { domainOf, isDisposableDomain } from '../domain/email-address.ts';
import { newSessionLife } from '../domain/session-life.ts';
import { type AuditEntry, insertAuditEntries, lockAccountByEmail } from '../store/accounts.ts';
import { findKeyOfSession } from '../store/api-keys.ts';
import { deleteSessions, insertSession } from '../store/sessions.ts';
import { spendChallenge } from '../store/sign-in-addresses.ts';
import { createAccount, createFirstKey } from './accounts.ts';
import { endKey } from './key-changes.ts';

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
  transaction: Transaction,
  request: SignInRequest,
): Promise<SignInOutcome> => {
  const { tx, now } = transaction;
  if (!(await spendChallenge(tx, request, now))) throw serviceError('code_used');
  const existing = await lockAccountByEmail(tx, request.email);
  if (existing?.status === 'closed') return { refusal: serviceError('account_closed') };
  const account = existing ?? (await createAccount(deps, transaction, request));
  if ('refusal' in account) return account;

  const sessionLife = newSessionLife(now);
  const sessionId = randomUUID();
  await insertSession(tx, {
    id: sessionId,
    accountId: account.id,
    personId: account.id,
    keyedDigest: deps.vault.keyedDigest(request.sessionDigest),
    ...sessionLife,
  });
  const { requestId, clientAddress } = request;
  await insertAuditEntries(tx, [
    { at: now, action: 'signed-in', actor: 'holder', accountId: account.id, requestId, clientAddress },
  ]);
  const firstKey = await createFirstKey(deps, transaction, request, account.id);
  const sessionExpiresAt = sessionLife.expiresAt.toISOString();
  return { accountId: account.id, sessionId, sessionExpiresAt, firstKey };
};

/** Whether the address is disposable: by its domain, or by the domain that receives its mail. */
export const isDisposable = async (
  { mailExchanges, disposableDomains }: Deps,
  email: string,
): Promise<boolean> => {
  const domain = domainOf(email);
  if (isDisposableDomain(domain, disposableDomains)) return true;
  return (await mailExchanges(domain)).some((host) => isDisposableDomain(host, disposableDomains));
};

type SessionsEnd = Pick<AuditEntry, 'requestId' | 'clientAddress'> & { readonly ids: readonly string[] };

/**
 * Ends sessions of one account for good, also after a restore, and their dashboard keys, whose jobs go on. Resolves to their number, and to
 * the digests of the keys, which the caller forgets.
 */
export const endTheseSessions = async (
  transaction: Transaction,
  vault: Deps['vault'],
  { ids, ...author }: SessionsEnd,
): Promise<{ ended: number; keyDigests: string[] }> => {
  const { tx, send, now } = transaction;
  const sessions = await deleteSessions(tx, ids);
  const keyDigests: string[] = [];
  for (const { id: sessionId, accountId } of sessions) {
    const key = await findKeyOfSession(tx, { accountId, sessionId });
    const end = { revokeAt: now, atOnce: false, actor: 'holder', ...author } as const;
    const digest = key && (await endKey(transaction, vault, { keyId: key.id, ...end }));
    if (digest) keyDigests.push(digest);
  }
  const [first] = sessions;
  if (first) {
    const sessionIds = sessions.map(({ id }) => id);
    await send.emit(identity.sessionsEnded, { accountId: first.accountId, sessionIds });
  }
  return { ended: sessions.length, keyDigests };
};
