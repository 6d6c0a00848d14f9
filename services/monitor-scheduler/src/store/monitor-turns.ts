import { type Due, dueRows, nextVersion } from '@tds/service-kit';
import { SPREAD } from '../domain/cadence.ts';
import type { Causes } from '../domain/pauses.ts';
import type { Db } from './database.ts';
import { Prisma } from './prisma/client.ts';

/** Longer than a job may take to be begun. */
const LEASE_MS = 60_000;

/** A monitor whose turn it is. */
type Read = { readonly account_id: string; readonly auto_fetch: boolean };
export type DueMonitor = Due<Read>;

export const monitorRows = dueRows<Read, object>({
  table: 'monitors',
  reads: ['account_id', 'auto_fetch'],
  writes: {},
  leaseMs: LEASE_MS,
  jitter: SPREAD,
});

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

/** Held until the transaction ends; null where it is cancelled, or something has happened that gives it another turn. */
export const lockTurn = async (tx: Db, { id, epoch }: DueMonitor): Promise<Turn | null> => {
  const [turn] = await tx.$queryRaw<Turn[]>`
    SELECT m.id, m.account_id AS "accountId", m.feed_id AS "feedId", m.kind, m.source_id AS "sourceId",
      coalesce(f.title, m.title) AS title, m.auto_fetch AS "autoFetch", m.language, m.fallback,
      m.webhook_url AS "webhookUrl", m.told_pause AS "toldPause", m.uses_webhook AS "usesWebhook",
      coalesce(a.has_webhook, false) AS "hasWebhook", f.failures, m.lacks_credits AS "lacksCredits",
      f.last_number AS "lastNumber", m.told, m.fetched, m.fetching
    FROM monitors AS m JOIN feeds AS f ON f.id = m.feed_id LEFT JOIN accounts AS a ON a.id = m.account_id
    WHERE m.id = ${id}::uuid AND m.lease_epoch = ${epoch}::bigint FOR UPDATE OF m`;
  return turn ?? null;
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

/** Gives monitors another turn at once: one that is under way with what was before can save nothing any more. */
const wake = (tx: Db, which: Prisma.Sql): Promise<number> => tx.$executeRaw`
  UPDATE monitors SET due_at = now(), lease_until = NULL, lease_epoch = lease_epoch + 1
  WHERE cancelled_at IS NULL AND ${which}`;

export const wakeMonitorsOfFeed = async (tx: Db, feedId: string): Promise<void> => {
  await wake(tx, Prisma.sql`feed_id = ${feedId}::uuid`);
};

export const wakeMonitorsOfAccount = async (tx: Db, accountId: string): Promise<void> => {
  await wake(tx, Prisma.sql`account_id = ${accountId}::uuid`);
};

export const wakeForCredits = async (tx: Db, accountId: string): Promise<void> => {
  await wake(tx, Prisma.sql`account_id = ${accountId}::uuid AND lacks_credits`);
};
