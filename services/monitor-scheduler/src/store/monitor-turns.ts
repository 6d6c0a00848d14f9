import { type Due, dueRows, KNOWS_WHAT_IT_TOLD, nextVersion } from '@tds/service-kit';
import { type Causes, SPREAD } from '../domain/cadence.ts';
import type { Db } from './database.ts';
import { Prisma } from './prisma/client.ts';

/** Longer than a job may take to be begun. */
const LEASE_MS = 60_000;

type Read = { readonly account_id: string };
/** A monitor whose turn it is, or which has an errand to run. */
export type DueMonitor = Due<Read>;

const rowsOf = (table: 'monitors' | 'errands') =>
  dueRows<Read, object>({
    ...{ table, reads: ['account_id'], writes: {}, leaseMs: LEASE_MS, jitter: SPREAD },
    while: KNOWS_WHAT_IT_TOLD,
  });

/** Turns use this database alone. */
export const monitorRows = rowsOf('monitors');
/** Errands ask other services, which may be away. */
export const errandRows = rowsOf('errands');

/** A monitor as it is in its turn, with what is known of its feed and its account's webhook. */
export type Turn = Causes & {
  readonly id: string;
  readonly accountId: string;
  readonly feedId: string;
  readonly kind: 'channel' | 'playlist';
  readonly sourceId: string;
  readonly title: string | null;
  readonly autoFetch: boolean;
  readonly language: string;
  readonly fallback: boolean;
  readonly webhookUrl: string | null;
  readonly toldPause: string | null;
  readonly lastNumber: number;
  readonly told: number;
  readonly fetched: number;
  readonly fetching: number | null;
};

/** Among the monitors of its account: the oldest is the first. */
export const PLACE = Prisma.sql`(
  SELECT count(*)::int FROM monitors AS o
  WHERE o.account_id = m.account_id AND o.cancelled_at IS NULL AND (o.created_at, o.id) <= (m.created_at, m.id))`;

const lock = async (tx: Db, id: string, errand: Prisma.Sql, held: Prisma.Sql): Promise<Turn | null> => {
  const [turn] = await tx.$queryRaw<Turn[]>`
    SELECT m.id, m.account_id AS "accountId", m.feed_id AS "feedId", m.kind, m.source_id AS "sourceId",
      coalesce(f.title, m.title) AS title, m.auto_fetch AS "autoFetch", m.language, m.fallback,
      m.webhook_url AS "webhookUrl", m.told_pause AS "toldPause", m.uses_webhook AS "usesWebhook",
      coalesce(a.has_webhook, false) AS "hasWebhook", f.failures, m.lacks_credits AS "lacksCredits",
      f.last_number AS "lastNumber", m.told, m.fetched, m.fetching, a.tier, ${PLACE} AS place
    FROM monitors AS m JOIN feeds AS f ON f.id = m.feed_id ${errand} LEFT JOIN accounts AS a ON a.id = m.account_id
    WHERE m.id = ${id}::uuid AND ${held}`;
  return turn ?? null;
};

/** Held until the transaction ends; null where it is cancelled, or something has happened that gives it another turn. */
export const lockTurn = (tx: Db, { id, epoch }: DueMonitor): Promise<Turn | null> =>
  lock(tx, id, Prisma.empty, Prisma.sql`m.lease_epoch = ${epoch}::bigint FOR UPDATE OF m`);

/** The same by its errand. */
export const lockErrand = (tx: Db, { id, epoch }: DueMonitor): Promise<Turn | null> => {
  const errand = Prisma.sql`JOIN errands AS e ON e.id = m.id`;
  return lock(tx, id, errand, Prisma.sql`e.lease_epoch = ${epoch}::bigint FOR UPDATE OF m, e`);
};

type Changed = Partial<Pick<Turn, 'told' | 'fetched' | 'fetching' | 'lacksCredits'>> & {
  readonly jobError?: string | null;
};

export const saveTurn = async (tx: Db, id: string, data: Changed): Promise<void> => {
  await tx.monitor.update({ where: { id }, data, select: { id: true } });
};

/** What came after this number is news again. */
export const tellAgain = async (
  tx: Db,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  after: number,
): Promise<void> => {
  await tx.$executeRaw`
    UPDATE monitors SET told = least(told, greatest(baseline, ${after}::int))
    WHERE id = ${id}::uuid AND account_id = ${accountId}::uuid`;
};

/** What is told of it from now on, with its version. */
export const savePause = async (tx: Db, id: string, reason: string | null): Promise<number> => {
  const [saved] = await tx.$queryRaw<{ version: number }[]>`
    UPDATE monitors SET told_pause = ${reason}, version = ${Prisma.raw(nextVersion('version'))}
    WHERE id = ${id}::uuid RETURNING version::float8 AS version`;
  return saved?.version ?? 0;
};

const AT_ONCE = Prisma.sql`SET due_at = now(), lease_until = NULL`;

/**
 * Gives monitors another turn at once, and another errand where they have their videos fetched: one that is under way with what was
 * before can save nothing any more.
 */
const wake = (tx: Db, which: Prisma.Sql): Promise<number> => tx.$executeRaw`
  WITH woken AS (
    UPDATE monitors AS m ${AT_ONCE}, lease_epoch = m.lease_epoch + 1
    WHERE cancelled_at IS NULL AND ${which} RETURNING id, auto_fetch)
  UPDATE errands AS e ${AT_ONCE}, lease_epoch = e.lease_epoch + 1 FROM woken WHERE e.id = woken.id AND woken.auto_fetch`;

export const wakeMonitorsOfFeed = async (tx: Db, feedId: string): Promise<void> => {
  await wake(tx, Prisma.sql`feed_id = ${feedId}::uuid`);
};

export const wakeMonitorsOfAccount = async (tx: Db, accountId: string): Promise<void> => {
  await wake(tx, Prisma.sql`account_id = ${accountId}::uuid`);
};

/** Its errand goes on. */
export const wakeTurn = async (tx: Db, id: string): Promise<void> => {
  await tx.$executeRaw`UPDATE monitors AS m ${AT_ONCE}, lease_epoch = m.lease_epoch + 1 WHERE id = ${id}::uuid AND cancelled_at IS NULL`;
};

/** Their errands go on. */
export const wakeTurnsOfAccount = async (tx: Db, accountId: string): Promise<void> => {
  await tx.$executeRaw`
    UPDATE monitors AS m ${AT_ONCE}, lease_epoch = m.lease_epoch + 1
    WHERE account_id = ${accountId}::uuid AND cancelled_at IS NULL`;
};

/** Identity is asked again for the tier of the account. */
export const wakeErrandsOfAccount = async (tx: Db, accountId: string): Promise<void> => {
  await tx.$executeRaw`
    UPDATE errands AS e ${AT_ONCE}, lease_epoch = e.lease_epoch + 1 FROM monitors AS m
    WHERE m.id = e.id AND m.cancelled_at IS NULL AND e.account_id = ${accountId}::uuid`;
};

export const wakeForCredits = async (tx: Db, accountId: string): Promise<void> => {
  await wake(tx, Prisma.sql`account_id = ${accountId}::uuid AND lacks_credits`);
};
