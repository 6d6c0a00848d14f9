import { randomUUID } from 'node:crypto';
import { identity, type RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Transaction } from '../deps.ts';
import { endTheseSessions, findLiveSession, openSession, requireSession } from '../sign-in/index.ts';
import { lockAccounts } from '../store/accounts.ts';
import {
  findEmailOf,
  findPerson,
  findPersonByEmail,
  findPlaces,
  insertPerson,
  type Person,
} from '../store/people.ts';
import { audit } from '../store/transact.ts';
import { deadInvitation } from './invitations.ts';
import { emitPerson } from './people.ts';
import { findInvitation, type Invitation, markUsed } from './store/invitations.ts';

const makePerson = async (
  transaction: Transaction,
  { accountId, email, role, dailyCreditCap }: Invitation,
): Promise<Person> => {
  const fields = { id: randomUUID(), accountId, email, role, dailyCreditCap, joinedAt: transaction.now };
  const person = await insertPerson(transaction.tx, fields);
  await emitPerson(transaction, person, null);
  return person;
};

type JoinRequest = Pick<
  RequestOf<typeof identity.acceptInvitation>,
  'invitationId' | 'sessionDigest' | 'formerSessionDigest'
>;

/** The session that the browser has until now, if it lives. */
const findFormer = async ({ tx, now, vault }: Transaction, digest: string | undefined) => {
  const session = digest === undefined ? null : await findLiveSession(tx, vault.keyedDigest(digest), now);
  const email = session && (await findEmailOf(tx, session.accountId, session.personId));
  return session && { ...session, email };
};

/**
 * Spends an invitation whose code was right, once. The session stays in the account, unless the browser is signed in with the address
 * already. Throws `account_closed`, `code_used`, `code_expired`, and `sign_in_required` if the address has an account elsewhere.
 */
export const join = async (
  transaction: Transaction,
  { invitationId, sessionDigest, formerSessionDigest }: JoinRequest,
  accountId: string,
) => {
  const { tx, send, now } = transaction;
  const former = await findFormer(transaction, formerSessionDigest);
  const accounts = await lockAccounts(tx, [accountId, ...(former ? [former.accountId] : [])]);
  if (accounts.get(accountId)?.status === 'closed') throw serviceError('account_closed');
  const invitation = await findInvitation(tx, invitationId);
  if (invitation === null) throw serviceError('invalid_code');
  const refusal = deadInvitation(invitation, now);
  if (refusal) throw refusal;
  const { email, role } = invitation;
  const isProven = former?.email === email && !former.isInvited;
  const isElsewhere = (await findPlaces(tx, email)).some(({ status }) => status !== 'closed');
  if (isElsewhere && !isProven) throw serviceError('sign_in_required');
  await markUsed(tx, invitationId, now);
  await send.emit(identity.invitationEnded, { accountId, invitationId });
  const person = (await findPersonByEmail(tx, accountId, email)) ?? (await makePerson(transaction, invitation));
  const who = { accountId, personId: person.id };
  await audit(transaction, { ...who, action: 'person-joined', detail: `${email}, ${role}` });
  await audit(transaction, { ...who, action: 'signed-in' });
  const { keyDigests } = await endTheseSessions(transaction, former ? [former.id] : []);
  const opened = await openSession(transaction, { person, sessionDigest, isInvited: !isProven });
  return { opened, keyDigests, isProven };
};

/** Ends the session and opens one in the other account, for no longer. */
export const switchTo = async (
  transaction: Transaction,
  { accountId, toAccountId, sessionDigest, newSessionDigest }: RequestOf<typeof identity.switchAccount>,
) => {
  const { tx } = transaction;
  const accounts = await lockAccounts(tx, [accountId, toAccountId]);
  const { session, own } = await requireSession(transaction, accountId, sessionDigest);
  if (session.isInvited) throw serviceError('sign_in_required');
  const me = await findPerson(tx, accountId, session.personId);
  if (me === null) throw serviceError('session_required');
  const person = await findPersonByEmail(tx, toAccountId, me.email);
  const status = accounts.get(toAccountId)?.status ?? 'closed';
  if (person === null || status === 'closed') throw serviceError('account_not_found');
  const { keyDigests } = await endTheseSessions(own, [session.id]);
  await audit(transaction, { action: 'account-switched', accountId: toAccountId, personId: person.id });
  const { expiresAt } = session;
  const opened = await openSession(transaction, { person, sessionDigest: newSessionDigest, expiresAt });
  return { opened, keyDigests };
};
