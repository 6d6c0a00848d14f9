import { identity, type ReplyOf, type RequestOf } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import type { Deps, Transaction } from '../deps.ts';
import { domainOf, isDisposableDomain } from '../domain/email-address.ts';
import { isTimeZone, saveMailChoices } from '../mails/index.ts';
import { findLeftAccount, freeAddress, lockAccount } from '../store/accounts.ts';
import type { Db } from '../store/database.ts';
import { findPerson, findPlaces } from '../store/people.ts';
import { audit } from '../store/transact.ts';
import { openSession } from './sessions.ts';
import { createAccount, createFirstKey } from './sign-up.ts';
import { spendChallenge } from './store/sign-in-addresses.ts';

type SignInRequest = RequestOf<typeof identity.verifyCode> & { readonly challengeId: string };
type SignInOutcome =
  | Omit<ReplyOf<typeof identity.verifyCode>, 'deviceProof'>
  | { readonly refusal: ServiceError };

type Place = { readonly id: string; readonly accountId: string };

const disputed = (): ServiceError =>
  serviceError('account_frozen', {
    message:
      'A payment of the account that this address has left is disputed. Until that is settled, it can have no other one. Write to support_email.',
  });

/**
 * Locks the account that the address opens: the one that it used last, its own at first. Nobody gets an account of their own by signing
 * in to that of others.
 */
const lockPlace = async (
  tx: Db,
  email: string,
): Promise<Place | { readonly isNew: true } | { readonly refusal: ServiceError }> => {
  const [place] = await findPlaces(tx, email);
  if (place?.status === 'closed') return { refusal: serviceError('account_closed') };
  if (!place) {
    const left = await findLeftAccount(tx, email);
    if (left?.isDisputed) return { refusal: disputed() };
    if (left) await freeAddress(tx, left.id);
    return { isNew: true };
  }
  const { status } = await lockAccount(tx, place.accountId);
  // The person may have been removed meanwhile, or the account closed.
  const person = await findPerson(tx, place.accountId, place.id);
  return person && status !== 'closed' ? place : lockPlace(tx, email);
};

/**
 * Spends the code for a session and, at sign-up, an account with its first key: all or nothing. The row of the address serializes sign-ins
 * to it. Throws `code_used` for all callers but one.
 */
export const signIn = async (
  deps: Deps,
  transaction: Transaction,
  request: SignInRequest,
): Promise<SignInOutcome> => {
  const { tx, send, now } = transaction;
  if (!(await spendChallenge(tx, request, now))) throw serviceError('code_used');
  const place = await lockPlace(tx, request.email);
  if ('refusal' in place) return place;
  const created = 'isNew' in place ? await createAccount(deps, transaction, request.email) : null;
  if (created && 'refusal' in created) return created;
  const person = created ? { id: created.id, accountId: created.id } : (place as Place);
  const { timeZone: zone } = request;
  if (created && zone !== undefined && (await isTimeZone(tx, zone))) {
    const reader = { accountId: created.id, personId: created.id };
    const saved = await saveMailChoices(tx, { ...reader, choices: { time_zone: zone } }, now);
    if (saved) await send.emit(identity.mailChoicesChanged, saved);
  }

  const { accountId, id: personId } = person;
  await audit(transaction, { action: 'signed-in', accountId, personId });
  const session = await openSession(transaction, { person, sessionDigest: request.sessionDigest });
  const firstKey = personId === accountId ? await createFirstKey(transaction, request, accountId) : null;
  return { ...session, firstKey };
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
