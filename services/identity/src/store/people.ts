import type { AccountStatus, Role } from '@tds/contracts';
import type { Db } from './database.ts';
import { Prisma } from './prisma/client.ts';

type PersonRow = Prisma.PersonGetPayload<object>;

/** A person who is in an account. */
export type Person = Omit<PersonRow, 'role' | 'signedInAt' | 'changedAt'> & { readonly role: Role };

const present = { removedAt: null } as const;

/** The first who joined first. */
export const findPeople = async (db: Db, accountId: string): Promise<Person[]> =>
  (await db.person.findMany({
    where: { accountId, ...present },
    orderBy: [{ joinedAt: 'asc' }, { id: 'asc' }],
  })) as Person[];

/** Null if the account has no such person any more. */
export const findPerson = async (db: Db, accountId: string, id: string): Promise<Person | null> =>
  (await db.person.findFirst({ where: { id, accountId, ...present } })) as Person | null;

/** Whose the work of a person is who leaves: the oldest other owner's. */
export const findHeir = async (db: Db, accountId: string, id: string): Promise<string | null> => {
  const people = await findPeople(db, accountId);
  return people.find((other) => other.role === 'owner' && other.id !== id)?.id ?? null;
};

/** Also who was removed. */
export const findAnyone = (db: Db, accountId: string, id: string): Promise<PersonRow | null> =>
  db.person.findUnique({ where: { id, accountId } });

export const findPersonByEmail = async (db: Db, accountId: string, email: string): Promise<Person | null> =>
  (await db.person.findFirst({ where: { accountId, email, ...present } })) as Person | null;

type Place = Pick<Person, 'id' | 'accountId' | 'role'> & {
  readonly status: AccountStatus;
  /** That of the account's oldest owner. */
  readonly email: string;
};

/** SQL: where mail to an account goes. */
const ownerOf = (accountId: Prisma.Sql) => Prisma.sql`
  (SELECT o.email FROM people o WHERE o.account_id = ${accountId} AND o.role = 'owner' AND o.removed_at IS NULL
    ORDER BY o.joined_at, o.id LIMIT 1)`;

/**
 * Where an address is a person: open accounts before closed ones, the last used before others, its own before others. A closed account
 * of others is none: only its own address ended with it.
 */
export const findPlaces = (db: Db, email: string): Promise<Place[]> =>
  db.$queryRaw<Place[]>`
    SELECT p.id, p.account_id AS "accountId", p.role, a.status, coalesce(${ownerOf(Prisma.sql`a.id`)}, a.email) AS email
    FROM people p JOIN accounts a ON a.id = p.account_id
    WHERE p.email = ${email} AND p.removed_at IS NULL AND (a.status <> 'closed' OR p.id = a.id)
    ORDER BY a.status = 'closed', p.signed_in_at DESC NULLS LAST, p.id = a.id DESC, p.joined_at`;

type NewPerson = Pick<Person, 'id' | 'accountId' | 'email' | 'role' | 'dailyCreditCap' | 'joinedAt'>;

export const insertPerson = async (db: Db, person: NewPerson): Promise<Person> =>
  (await db.person.create({ data: person })) as Person;

export const markSignedIn = (db: Db, id: string, now: Date) =>
  db.person.update({ where: { id }, data: { signedInAt: now } });

type PersonFields = { role?: Role; dailyCreditCap?: number | null; removedAt?: Date; passedTo?: string | null };

/** Changes a person of a locked account. */
export const updatePerson = async (db: Db, id: string, fields: PersonFields, now: Date): Promise<Person> =>
  (await db.person.update({
    where: { id },
    data: { ...fields, changedAt: now, version: { increment: 1 } },
  })) as Person;

type PersonFacts = Pick<Person, 'id' | 'role' | 'dailyCreditCap' | 'removedAt' | 'passedTo' | 'version'>;
type Joined = Pick<Person, 'accountId' | 'email' | 'joinedAt'>;

/** Saves newer facts of a person, who may have joined since. False if the person's are newer, or who joined is not known. */
export const restorePerson = async (
  db: Db,
  { id, version, ...fields }: PersonFacts,
  joined: Joined | null,
  now: Date,
): Promise<boolean> => {
  const where = { id, version: { lt: version } };
  const facts = { ...fields, version, changedAt: now };
  if ((await db.person.updateMany({ where, data: facts })).count === 1) return true;
  if (joined === null) return false;
  const person = { id, ...joined, ...facts };
  return (await db.person.createMany({ data: [person], skipDuplicates: true })).count === 1;
};

export const hasOwner = async (db: Db, accountId: string): Promise<boolean> =>
  (await db.person.count({ where: { accountId, role: 'owner', ...present } })) > 0;

/** The address of anyone who is, or was, in the account. */
export const findEmailOf = async (db: Db, accountId: string, id: string): Promise<string | null> =>
  (await db.person.findUnique({ where: { id, accountId }, select: { email: true } }))?.email ?? null;

/** The oldest owner of an account; null if it is closed, or a restore has lost it. */
export const findOldestOwner = (db: Db, accountId: string): Promise<{ id: string; email: string } | null> =>
  db.person.findFirst({
    where: { accountId, role: 'owner', ...present, account: { status: { not: 'closed' } } },
    orderBy: [{ joinedAt: 'asc' }, { id: 'asc' }],
    select: { id: true, email: true },
  });

type Mailed = { readonly isClosed?: boolean; readonly isOfEvent?: boolean };

/** Where mails to a person of an account go. Null if they have left, have ended such mails, or the account is closed, unless the mail is about that. */
export const findMailAddress = async (
  db: Db,
  { accountId, personId }: { readonly accountId: string; readonly personId: string },
  { isClosed = false, isOfEvent = false }: Mailed = {},
): Promise<string | null> => {
  const account = { status: isClosed ? 'closed' : { not: 'closed' } };
  const where = { id: personId, accountId, ...present, account, ...(isOfEvent && { eventMails: true }) };
  return (await db.person.findFirst({ where, select: { email: true } }))?.email ?? null;
};

/** Of the oldest owner, of a closed account, too; null if a restore has lost it. */
export const findOwnerEmail = async (db: Db, accountId: string): Promise<string | null> => {
  const [row] = await db.$queryRaw<{ email: string | null }[]>`
    SELECT ${ownerOf(Prisma.sql`${accountId}::uuid`)} AS email`;
  return row?.email ?? null;
};

/** The address of a person who is in the account no more. */
export const findRemoved = async (db: Db, accountId: string, id: string): Promise<string | undefined> =>
  (await db.person.findFirst({ where: { id, accountId, NOT: present }, select: { email: true } }))?.email;

/** Whose keys and sessions without a person are the first person's. */
export const isOf = ({ id, accountId }: Pick<Person, 'id' | 'accountId'>) =>
  id === accountId ? { OR: [{ personId: id }, { personId: null }] } : { personId: id };

/** The working keys of a person. */
export const findKeysOfPerson = (db: Db, person: Person, now: Date): Promise<{ id: string }[]> =>
  db.apiKey.findMany({
    where: {
      accountId: person.accountId,
      AND: [isOf(person), { OR: [{ revokeAt: null }, { revokeAt: { gt: now } }] }],
    },
    select: { id: true },
  });

/** Ends the work of keys of a person, and of who passed theirs on to them, that have ended without it. The caller emits their ends. */
export const endWorkOfPerson = (db: Db, { id, accountId }: Person, now: Date) =>
  db.$queryRaw<{ id: string; encryptedDigest: Uint8Array<ArrayBuffer> }[]>(Prisma.sql`
    WITH RECURSIVE theirs AS (
      SELECT ${id}::uuid AS id
      UNION
      SELECT p.id FROM theirs t JOIN people p ON p.passed_to = t.id WHERE p.account_id = ${accountId}::uuid AND p.removed_at IS NOT NULL
    )
    UPDATE api_keys SET ended_at_once = true, version = version + 1, changed_at = ${now}::timestamptz
    WHERE account_id = ${accountId}::uuid AND coalesce(person_id, account_id) IN (SELECT id FROM theirs)
      AND revoke_at <= ${now}::timestamptz AND NOT ended_at_once
    RETURNING id, sealed_digest AS "encryptedDigest"`);

export const findSessionsOfPerson = async (db: Db, person: Person): Promise<string[]> => {
  const where = { accountId: person.accountId, ...isOf(person) };
  return (await db.session.findMany({ where, select: { id: true } })).map(({ id }) => id);
};
