import { randomUUID } from 'node:crypto';
import { identity, type RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Transaction } from '../deps.ts';
import { endTheseSessions, openSession, requireSession } from '../sign-in/index.ts';
import { lockAccount, lockAccounts } from '../store/accounts.ts';
import { findPerson, findPersonByEmail, insertPerson, type Person } from '../store/people.ts';
import { audit } from '../store/transact.ts';
import { deadInvitation } from './invitations.ts';
import { findInvitation, type Invitation, markUsed } from './store/invitations.ts';

const makePerson = async (
  { tx, send, now }: Transaction,
  { accountId, email, role, dailyCreditCap }: Invitation,
): Promise<Person> => {
  const fields = { id: randomUUID(), accountId, email, role, dailyCreditCap, joinedAt: now };
  const person = await insertPerson(tx, fields);
  const facts = { accountId, personId: person.id, role, dailyCreditCap, version: person.version };
  await send.emit(identity.personChanged, { ...facts, isRemoved: false });
  return person;
};

type JoinRequest = Pick<RequestOf<typeof identity.acceptInvitation>, 'invitationId' | 'sessionDigest'>;

/** Spends an invitation whose code was right, once. Throws `account_closed`, `code_used` and `code_expired`. */
export const join = async (
  transaction: Transaction,
  { invitationId, sessionDigest }: JoinRequest,
  accountId: string,
) => {
  const { tx, send, now } = transaction;
  const account = await lockAccount(tx, accountId);
  if (account.status === 'closed') throw serviceError('account_closed');
  const invitation = await findInvitation(tx, invitationId);
  if (invitation === null) throw serviceError('invalid_code');
  const refusal = deadInvitation(invitation, now);
  if (refusal) throw refusal;
  await markUsed(tx, invitationId, now);
  await send.emit(identity.invitationEnded, { accountId, invitationId });
  const { email, role } = invitation;
  const person = (await findPersonByEmail(tx, accountId, email)) ?? (await makePerson(transaction, invitation));
  const who = { accountId, personId: person.id };
  await audit(transaction, { ...who, action: 'person-joined', detail: `${email}, ${role}` });
  await audit(transaction, { ...who, action: 'signed-in' });
  return openSession(transaction, { person, sessionDigest });
};

/** Ends the session and opens one in the other account, for no longer. */
export const switchTo = async (
  transaction: Transaction,
  { accountId, toAccountId, sessionDigest, newSessionDigest }: RequestOf<typeof identity.switchAccount>,
) => {
  const { tx } = transaction;
  const accounts = await lockAccounts(tx, [accountId, toAccountId]);
  const { session, own } = await requireSession(transaction, accountId, sessionDigest);
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
