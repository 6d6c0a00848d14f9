import { nextVersionSql, onlyRow } from '@tds/base';
import type { AccountStatus, FrozenReason, Tier } from '@tds/contracts';
import type { Db } from './database.ts';
import { Prisma } from './prisma/client.ts';

type AccountRow = Prisma.AccountGetPayload<object>;

export type Account = Pick<AccountRow, 'id' | 'email' | 'name' | 'isDisputed' | 'createdAt'> &
  AccountState & { readonly tier: Tier };

const columns = Prisma.sql`id, email, name, status, frozen_reason AS "frozenReason", is_disputed AS "isDisputed", tier,
  created_at AS "createdAt"`;

/** The account of a principal, which is never deleted. */
export const findAccount = async (db: Db, id: string): Promise<Account> =>
  (await db.account.findUniqueOrThrow({ where: { id } })) as Account;

/** The same, locked until the transaction ends. Transactions that add a key to the account queue here. */
export const lockAccount = async (db: Db, id: string): Promise<Account> => {
  await db.$executeRaw`SELECT FROM accounts WHERE id = ${id}::uuid FOR UPDATE`;
  return findAccount(db, id);
};

/** The same for several, locked in one order so that transactions cannot deadlock. */
export const lockAccounts = async (db: Db, ids: readonly string[]): Promise<Map<string, Account>> => {
  const rows = await db.$queryRaw<Account[]>`
    SELECT ${columns} FROM accounts WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR UPDATE`;
  return new Map(rows.map((account) => [account.id, account]));
};

type Mailbox = { readonly accounts: number; readonly isDisputed: boolean };

/**
 * Counts accounts of the mailbox that are open or were closed after `since`, and finds whether a payment of a frozen or closed one at these
 * hosts is disputed. Transactions about one mailbox queue here.
 */
export const lockMailbox = async (
  db: Db,
  { mailbox, hosts }: { readonly mailbox: string; readonly hosts: readonly string[] },
  since: Date,
): Promise<Mailbox> => {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${mailbox}, 0))`;
  const [row] = await db.$queryRaw<Mailbox[]>`
    SELECT count(*) FILTER (WHERE status <> 'closed' OR status_changed_at > ${since}::timestamptz)::integer AS accounts,
      coalesce(bool_or(is_disputed AND status <> 'active' AND split_part(email, '@', 2) = ANY (${hosts})), false) AS "isDisputed"
    FROM accounts WHERE mailbox = ${mailbox}`;
  return row ?? { accounts: 0, isDisputed: false };
};

type NewFreeAccounts = { readonly accounts: number; readonly oldest: Date | null };

/** Counts free accounts of the registered domain that were created after `since`. Transactions about one domain queue here. */
export const lockDomain = async (db: Db, domain: string, since: Date): Promise<NewFreeAccounts> => {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`domain ${domain}`}, 0))`;
  const [row] = await db.$queryRaw<NewFreeAccounts[]>`
    SELECT count(*)::integer AS accounts, min(created_at) AS oldest FROM accounts
    WHERE split_part(mailbox, '@', 2) = ${domain} AND created_at > ${since}::timestamptz AND tier = 'free'`;
  return row ?? { accounts: 0, oldest: null };
};

export const findEmail = async (db: Db, id: string): Promise<string | null> =>
  (await db.account.findUnique({ where: { id } }))?.email ?? null;

/** Finds the newest accounts of the mailbox at these hosts, the one with this id first. */
export const findAccountsOfMailbox = async (
  db: Db,
  id: string,
  { mailbox, hosts }: { readonly mailbox: string; readonly hosts: readonly string[] },
  limit: number,
): Promise<string[]> => {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM accounts WHERE mailbox = ${mailbox} AND split_part(email, '@', 2) = ANY (${hosts})
    ORDER BY id <> ${id}::uuid, created_at DESC LIMIT ${limit}`;
  return rows.map((row) => row.id);
};

export const insertAccount = (
  db: Db,
  account: { id: string; email: string; mailbox: string; createdAt: Date },
) => db.account.create({ data: account });

export type AccountState = { readonly status: AccountStatus; readonly frozenReason: FrozenReason | null };

/** Null if there is no such account, or nothing to change. */
export const updateAccountStatus = async (
  db: Db,
  { email, status, frozenReason }: AccountState & { readonly email: string },
  now: Date,
): Promise<{ id: string; version: number } | null> => {
  const [row] = await db.account.updateManyAndReturn({
    where: { email, NOT: { status, frozenReason } },
    data: { status, frozenReason, statusVersion: { increment: 1 }, statusChangedAt: now },
    select: { id: true, statusVersion: true },
  });
  return row ? { id: row.id, version: row.statusVersion } : null;
};

/** Null if there is no such account, or nothing to change. */
export const updateAccountTier = async (
  db: Db,
  { email, tier }: { email: string; tier: Tier },
  now: Date,
): Promise<{ id: string } | null> => {
  const [row] = await db.account.updateManyAndReturn({
    where: { email, tier: { not: tier } },
    data: { tier, tierChangedAt: now },
    select: { id: true },
  });
  return row ?? null;
};

/** Resolves to the version of the name. */
export const saveName = async (db: Db, id: string, name: string | null): Promise<number> =>
  onlyRow(
    await db.$queryRaw<{ version: number }[]>`
      UPDATE accounts SET name = ${name}, name_version = ${Prisma.raw(nextVersionSql('name_version'))}
      WHERE id = ${id}::uuid RETURNING name_version::float8 AS version`,
  ).version;

type AccountTier = { readonly accountId: string; readonly tier: Tier };

/** Updates locked accounts. Resolves to those with a changed tier. */
export const updateTiers = async (db: Db, tiers: readonly AccountTier[], now: Date): Promise<Set<string>> => {
  const rows = await db.$queryRaw<{ id: string }[]>`
    UPDATE accounts AS a SET tier = g.tier, tier_changed_at = ${now}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(tiers)}::jsonb) AS g ("accountId" uuid, tier text)
    WHERE a.id = g."accountId" AND a.tier <> g.tier RETURNING a.id`;
  return new Set(rows.map(({ id }) => id));
};

export const saveDisputed = (db: Db, id: string, isDisputed: boolean) =>
  db.account.update({ where: { id }, data: { isDisputed } });

/** Null if there is no such account. */
export const findStatusByEmail = async (db: Db, email: string): Promise<AccountStatus | null> =>
  ((await db.account.findUnique({ where: { email }, select: { status: true } }))?.status ??
    null) as AccountStatus | null;

/** After its first person has left, an account has no address of its own, and the person may have another account. */
export const freeAddress = (db: Db, id: string) =>
  db.account.update({ where: { id }, data: { email: `${id}@removed.invalid` } });

/** The account of an address of which its first person has left. */
export const findLeftAccount = (db: Db, email: string): Promise<{ id: string; isDisputed: boolean } | null> =>
  db.account.findUnique({ where: { email }, select: { id: true, isDisputed: true } });

/** One change: author, action, time, account. Never secrets. */
export type AuditEntry = {
  readonly at: Date;
  readonly action:
    | 'account-created'
    | 'signed-in'
    | 'sessions-ended'
    | 'key-created'
    | 'key-updated'
    | 'key-rotated'
    | 'key-revoked'
    | 'account-named'
    | 'account-status-changed'
    | 'account-tier-changed'
    | 'account-switched'
    | 'person-invited'
    | 'invitation-ended'
    | 'person-joined'
    | 'person-changed'
    | 'person-removed'
    | 'mails-stopped';
  /** `restore`: applied again after a restore. */
  readonly actor: 'holder' | 'operator' | 'restore' | 'billing' | 'app' | 'service';
  readonly accountId: string;
  /** The person, if the actor is the holder. */
  readonly personId?: string | null | undefined;
  readonly keyId?: string;
  /** The key that the holder used; null or absent for a session. */
  readonly actingKeyId?: string | null;
  readonly requestId: string;
  readonly clientAddress?: string;
  readonly detail?: string;
};

/** Written in the transaction of the change, so that neither exists without the other. */
export const insertAuditEntry = (db: Db, { personId = null, ...entry }: AuditEntry) =>
  db.auditEntry.createMany({ data: [{ ...entry, personId }] });
