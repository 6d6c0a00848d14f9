import { type ChangedBy, type InvitationView, identity, type PersonView } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Sender } from '@tds/messaging';
import type { CoreDeps, Transaction } from '../deps.ts';
import { type AuditEntry, insertAuditEntries } from '../store/accounts.ts';
import { findConnection } from '../store/connections.ts';
import { endInvitations, type Invitation } from '../store/invitations.ts';
import {
  endWorkOfPerson,
  findKeysOfPerson,
  findPeople,
  findSessionsOfPerson,
  type Person,
  updatePerson,
} from '../store/people.ts';
import type { Surface } from '../surface.ts';
import { disconnectApp } from './connections.ts';
import { endKey, holderOf, lockForChange } from './key-changes.ts';
import { endTheseSessions } from './sessions.ts';

export const toPerson = ({ id, email, role, dailyCreditCap, joinedAt }: Person): PersonView => ({
  ...{ id, email, role, daily_credit_cap: dailyCreditCap, joined_at: joinedAt.toISOString() },
});

export const toInvitation = (stored: Invitation): InvitationView => ({
  ...{ id: stored.id, email: stored.email, role: stored.role, daily_credit_cap: stored.dailyCreditCap },
  invited_by: stored.invitedBy,
  created_at: stored.createdAt.toISOString(),
  expires_at: stored.expiresAt.toISOString(),
});

type PeopleChange = { readonly accountId: string; readonly by: ChangedBy; readonly requestId: string };

/** The locked account in which people change, and who changes them. */
type PeopleTransaction = Omit<Transaction, 'send'> & { readonly send: Sender<Surface> };

export type PeopleLock = PeopleTransaction &
  PeopleChange & {
    readonly vault: CoreDeps['vault'];
    readonly actor: Person;
  };

/** Two owners who remove each other queue here: the second is one no more. Throws `account_closed`, and refuses a key with a cap. */
export const lockPeople = async (
  { vault }: Pick<CoreDeps, 'vault'>,
  transaction: PeopleTransaction,
  change: PeopleChange,
): Promise<PeopleLock> => {
  const { account, actor, asker } = await lockForChange(transaction.tx, { ...change, now: transaction.now });
  if (account.status === 'closed') throw serviceError('account_closed');
  if (asker && asker.dailyCreditCap !== null) throw serviceError('begun_by_another_key');
  return { ...transaction, ...change, vault, actor };
};

export const requireOwner = ({ actor }: PeopleLock): void => {
  if (actor.role !== 'owner') throw serviceError('role_required');
};

export const auditPeople = (
  { tx, now, accountId, by, requestId, actor }: PeopleLock,
  action: AuditEntry['action'],
  detail: string,
) =>
  insertAuditEntries(tx, [
    { at: now, action, accountId, requestId, detail, ...holderOf({ ...by, personId: actor.id }) },
  ]);

/** Throws `last_owner` if the account would have none. */
export const keepOwner = async ({ tx, accountId }: PeopleLock, person: Person): Promise<void> => {
  if (person.role !== 'owner') return;
  const owners = (await findPeople(tx, accountId)).filter(({ role }) => role === 'owner');
  if (owners.length === 1) throw serviceError('last_owner');
};

/** Saves new facts and tells them, so that they stay after a restore, and the ledger knows the cap. */
export const changeFacts = async (
  { tx, send, now, accountId }: Pick<PeopleLock, 'tx' | 'send' | 'now' | 'accountId'>,
  before: Person,
  fields: Parameters<typeof updatePerson>[2],
): Promise<Person> => {
  const { id: personId } = before;
  const { role, dailyCreditCap, version, removedAt, ...person } = await updatePerson(tx, personId, fields, now);
  const facts = { accountId, personId, dailyCreditCap, version };
  await send.emit(identity.personChanged, { ...facts, role, isRemoved: removedAt !== null });
  return { ...person, role, dailyCreditCap, version, removedAt };
};

/** Ends keys and connections of a person, and their work with them unless it is passed on. */
export const endKeysOf = async (lock: PeopleLock, person: Person, atOnce: boolean): Promise<void> => {
  const { tx, send, now, vault, accountId, by, requestId, actor } = lock;
  const author = { requestId, ...holderOf({ ...by, personId: actor.id }) };
  for (const { id: keyId } of await findKeysOfPerson(tx, person, now)) {
    const connection = await findConnection(tx, { accountId, id: keyId }, now);
    if (connection) await disconnectApp(lock, vault, connection, author, atOnce);
    else await endKey(lock, vault, { keyId, revokeAt: now, atOnce, ...author });
  }
  if (!atOnce) return;
  for (const { id: keyId, sealedDigest } of await endWorkOfPerson(tx, person, now)) {
    const keyDigest = vault.unseal(sealedDigest, keyId);
    await send.emit(identity.keyRevoked, { accountId, keyId, keyDigest, atOnce: true });
  }
};

/** Ends one waiting invitation of the account, or all that a person has made. Resolves to the ended ones. */
export const withdraw = async (
  lock: PeopleLock,
  which: { readonly id: string } | { readonly invitedBy: string },
) => {
  const { tx, send, now, accountId } = lock;
  const ended = await endInvitations(tx, { accountId, ...which }, now);
  for (const { id: invitationId, email } of ended) {
    await send.emit(identity.invitationEnded, { accountId, invitationId });
    await auditPeople(lock, 'invitation-ended', email);
  }
  return ended;
};

/** Removes a person with all by which they could come back. */
export const remove = async (lock: PeopleLock, person: Person, work: 'end' | 'pass_on') => {
  const { tx, now, vault, by, requestId, actor } = lock;
  await keepOwner(lock, person);
  await endKeysOf(lock, person, work === 'end');
  const ids = await findSessionsOfPerson(tx, person);
  const { clientAddress } = by;
  await endTheseSessions(lock, vault, { ids, requestId, clientAddress, personId: actor.id });
  await withdraw(lock, { invitedBy: person.id });
  await changeFacts(lock, person, { removedAt: now });
  await auditPeople(lock, 'person-removed', `${person.email}, work: ${work}`);
};
