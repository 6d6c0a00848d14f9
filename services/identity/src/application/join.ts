import { randomUUID } from 'node:crypto';
import { identity, type RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Deps, Transaction } from '../deps.ts';
import { deadInvitation } from '../domain/invitations.ts';
import { insertAuditEntries, lockAccount, lockAccounts } from '../store/accounts.ts';
import { findInvitation, type Invitation, markUsed } from '../store/invitations.ts';
import { findPerson, findPersonByEmail, insertPerson, type Person } from '../store/people.ts';
import { findLiveSession } from '../store/sessions.ts';
import { endTheseSessions, openSession } from './sessions.ts';

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

type JoinRequest = Omit<RequestOf<typeof identity.acceptInvitation>, 'codeProof'> & {
  readonly requestId: string;
};

/** Spends an invitation whose code was right, once. Throws `account_closed`, `code_used` and `code_expired`. */
export const join = async (
  deps: Pick<Deps, 'vault'>,
  transaction: Transaction,
  { invitationId, sessionDigest, clientAddress, requestId }: JoinRequest,
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
  const author = {
    at: now,
    actor: 'holder',
    accountId,
    personId: person.id,
    requestId,
    clientAddress,
  } as const;
  await insertAuditEntries(tx, [
    { ...author, action: 'person-joined', detail: `${email}, ${role}` },
    { ...author, action: 'signed-in' },
  ]);
  return openSession(deps, transaction, { person, sessionDigest });
};

type SwitchRequest = RequestOf<typeof identity.switchAccount> & { readonly requestId: string };

/** Ends the session and opens one in the other account, for no longer. */
export const switchTo = async (deps: Pick<Deps, 'vault'>, transaction: Transaction, request: SwitchRequest) => {
  const { tx, now } = transaction;
  const { accountId, toAccountId, sessionDigest, newSessionDigest, clientAddress, requestId } = request;
  const accounts = await lockAccounts(tx, [accountId, toAccountId]);
  const session = await findLiveSession(tx, deps.vault.keyedDigest(sessionDigest), now);
  const me = session?.accountId === accountId ? await findPerson(tx, accountId, session.personId) : null;
  if (!session || !me) throw serviceError('session_required');
  const person = await findPersonByEmail(tx, toAccountId, me.email);
  const status = accounts.get(toAccountId)?.status ?? 'closed';
  if (person === null || status === 'closed') throw serviceError('account_not_found');
  const author = { requestId, clientAddress };
  const { keyDigests } = await endTheseSessions(transaction, deps.vault, {
    ...{ ids: [session.id], personId: me.id },
    ...author,
  });
  await insertAuditEntries(tx, [
    {
      ...{ at: now, action: 'account-switched', actor: 'holder', personId: person.id },
      ...{ accountId: toAccountId, ...author },
    },
  ]);
  const opened = { person, sessionDigest: newSessionDigest, expiresAt: session.expiresAt };
  return { opened: await openSession(deps, transaction, opened), keyDigests };
};
