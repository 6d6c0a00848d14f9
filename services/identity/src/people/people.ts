import { randomBytes, randomUUID } from 'node:crypto';
import { type InvitationView, identity, type PersonView, type Role } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { disconnectApp, findConnection } from '../apps/index.ts';
import type { Author, CoreDeps, Transaction } from '../deps.ts';
import { endKey, lockForChange } from '../keys/index.ts';
import { endTheseSessions } from '../sign-in/index.ts';
import { type Account, freeAddress, lockAccounts } from '../store/accounts.ts';
import {
  endWorkOfPerson,
  findHeir,
  findKeysOfPerson,
  findPeople,
  findPersonByEmail,
  findSessionsOfPerson,
  insertPerson,
  type Person,
  updatePerson,
} from '../store/people.ts';
import { audit, transact } from '../store/transact.ts';
import type { Surface } from '../surface.ts';
import { endInvitations, type Invitation } from './store/invitations.ts';

export const toPerson = ({ id, email, role, dailyCreditCap, joinedAt }: Person): PersonView => ({
  ...{ id, email, role, daily_credit_cap: dailyCreditCap, joined_at: joinedAt.toISOString() },
});

export const toInvitation = (stored: Invitation): InvitationView => ({
  ...{ id: stored.id, email: stored.email, role: stored.role, daily_credit_cap: stored.dailyCreditCap },
  invited_by: stored.invitedBy,
  created_at: stored.createdAt.toISOString(),
  expires_at: stored.expiresAt.toISOString(),
});

/** The locked account in which people change, on behalf of who changes them. */
export type PeopleLock = Transaction<Surface> & {
  readonly accountId: string;
  readonly account: Account;
  readonly actor: Person;
};

/** Two owners who remove each other queue here: the second is one no more. Throws `account_closed`, and `session_required` for a key. */
export const lockPeople = async (transaction: Transaction<Surface>, accountId: string): Promise<PeopleLock> => {
  if (transaction.author.actingKeyId) throw serviceError('session_required');
  const { account, actor } = await lockForChange(transaction, accountId);
  if (account.status === 'closed') throw serviceError('account_closed');
  return { ...transaction, author: { ...transaction.author, personId: actor.id }, accountId, account, actor };
};

export const requireOwner = ({ actor }: PeopleLock): void => {
  if (actor.role !== 'owner') throw serviceError('role_required');
};

/** Throws `last_owner` if the account would have none. */
export const keepOwner = async ({ tx, accountId }: PeopleLock, person: Person): Promise<void> => {
  if (person.role !== 'owner') return;
  const owners = (await findPeople(tx, accountId)).filter(({ role }) => role === 'owner');
  if (owners.length === 1) throw serviceError('last_owner');
};

const NONCE_BYTES = 12;

/** Emits a person as of now: so they stay after a restore, the ledger knows the cap, and owners are mailed. */
export const emitPerson = async (
  { send, vault, author }: Pick<Transaction, 'send' | 'vault' | 'author'>,
  { id: personId, accountId, email, role, dailyCreditCap, version, joinedAt, removedAt }: Person,
  roleBefore: Role | null,
): Promise<void> => {
  const encrypted = vault.encrypt(email, personId, randomBytes(NONCE_BYTES), 'utf8');
  await send.emit(identity.personChanged, {
    ...{ accountId, personId, role, dailyCreditCap, version, isRemoved: removedAt !== null, roleBefore },
    ...{ sealedEmail: Buffer.from(encrypted).toString('base64url'), joinedAt: joinedAt.toISOString() },
    ...(author.actor === 'holder' && { byPersonId: author.personId ?? personId }),
  });
};

/** Saves new facts of a person. */
export const changeFacts = async (
  transaction: Transaction,
  { id, role }: Person,
  fields: Parameters<typeof updatePerson>[2],
): Promise<Person> => {
  const person = await updatePerson(transaction.tx, id, fields, transaction.now);
  await emitPerson(transaction, person, role);
  return person;
};

/** Ends keys and connections of a person, and their work with them unless it is passed on. */
export const endKeysOf = async (lock: PeopleLock, person: Person, atOnce: boolean): Promise<void> => {
  const { tx, send, now, vault, accountId } = lock;
  for (const { id: keyId } of await findKeysOfPerson(tx, person, now)) {
    const connection = await findConnection(tx, { accountId, id: keyId }, now);
    if (connection) await disconnectApp(lock, connection, atOnce);
    else await endKey(lock, { keyId, atOnce });
  }
  if (!atOnce) return;
  for (const { id: keyId, encryptedDigest } of await endWorkOfPerson(tx, person, now)) {
    const keyDigest = vault.decrypt(encryptedDigest, keyId);
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
    await audit(lock, { action: 'invitation-ended', accountId, detail: email });
  }
  return ended;
};

/** Removes a person with all by which they could come back. */
export const remove = async (lock: PeopleLock, person: Person, work: 'end' | 'pass_on') => {
  const { tx, now, accountId, account, actor } = lock;
  await keepOwner(lock, person);
  await endKeysOf(lock, person, work === 'end');
  await endTheseSessions(lock, await findSessionsOfPerson(tx, person));
  await withdraw(lock, { invitedBy: person.id });
  const passedTo = actor.id === person.id ? await findHeir(tx, accountId, person.id) : actor.id;
  await changeFacts(lock, person, { removedAt: now, passedTo });
  if (person.id === accountId && !account.isDisputed) await freeAddress(tx, accountId);
  const outcome = work === 'end' ? 'ended' : 'passed on';
  await audit(lock, { action: 'person-removed', accountId, detail: `${person.email}, work ${outcome}` });
};

type NewOwner = Author & { readonly accountId: string; readonly email: string };

/** Makes an address an owner of an open account, on behalf of an operator. Throws an error to print. */
export const addOwner = (deps: CoreDeps, { accountId, email, ...author }: NewOwner): Promise<void> =>
  transact(deps, author, async (transaction) => {
    const { tx, now } = transaction;
    const account = (await lockAccounts(tx, [accountId])).get(accountId);
    if (account === undefined || account.status === 'closed')
      throw new Error(`There is no open account ${accountId}.`);
    const person = await findPersonByEmail(tx, accountId, email);
    if (person?.role === 'owner') throw new Error(`${email} is an owner of this account already.`);
    if (person) await changeFacts(transaction, person, { role: 'owner' });
    else {
      const fields = { id: randomUUID(), accountId, email, role: 'owner', dailyCreditCap: null } as const;
      await emitPerson(transaction, await insertPerson(tx, { ...fields, joinedAt: now }), null);
    }
    await audit(transaction, { action: 'person-joined', accountId, detail: `${email}, owner` });
  });
