import { nextVersionSql } from '@tds/base';
import type { MailChoice } from '@tds/contracts';
import { HAS_ALL_EMITTED_EVENTS } from '@tds/messaging';
import { type Due, defineQueue } from '@tds/queue';
import { type PauseCauses, SPREAD } from '../domain/cadence.ts';
import type { Db } from './database.ts';
import { type JobSettings, MAIL, type MonitorSettings, type OwnedMonitor } from './monitors.ts';
import { Prisma } from './prisma/client.ts';

/** Longer than creating a job takes. */
const LEASE_MS = 60_000;

type MonitorColumns = { readonly account_id: string };
/** A monitor whose turn or action is due. */
export type DueMonitor = Due<MonitorColumns>;

const queueOf = (table: 'monitors' | 'actions') =>
  defineQueue<MonitorColumns, object>({
    table,
    reads: ['account_id'],
    leaseMs: LEASE_MS,
    jitter: SPREAD,
    where: HAS_ALL_EMITTED_EVENTS,
  });

/** Turns use this database only. */
export const monitorQueue = queueOf('monitors');
/** Actions (the table `actions`) call other services, which may be away. */
export const actionQueue = queueOf('actions');

/** A monitor in its turn, with its feed and its account. */
export type MonitorTurn = PauseCauses &
  JobSettings & {
    readonly feedId: string;
    readonly kind: 'channel' | 'playlist';
    readonly sourceId: string;
    readonly autoFetch: boolean;
    readonly mail: MailChoice;
    readonly weekly: boolean;
    readonly mailOnlyMatches: boolean;
    /** The pause reason that was emitted last. */
    readonly emittedPause: string | null;
    readonly lastNumber: number;
    /** Numbers up to which videos are emitted, have a job, and are in the batch of the next job. */
    readonly emitted: number;
    readonly fetched: number;
    readonly fetching: number | null;
  };

/** SQL for the position of monitor `m` among the active ones of its account, the oldest first. */
export const PLACE = Prisma.sql`(
  SELECT count(*)::int FROM monitors AS o
  WHERE o.account_id = m.account_id AND o.cancelled_at IS NULL AND (o.created_at, o.id) <= (m.created_at, m.id))`;

const lock = async (tx: Db, id: string, action: Prisma.Sql, condition: Prisma.Sql) => {
  const [turn] = await tx.$queryRaw<MonitorTurn[]>`
    SELECT m.id, m.account_id AS "accountId", m.feed_id AS "feedId", m.kind, m.source_id AS "sourceId",
      coalesce(f.title, m.title) AS title, m.auto_fetch AS "autoFetch", ${MAIL}, m.mail_only_matches AS "mailOnlyMatches", m.language, m.fallback,
      m.webhook_url AS "webhookUrl", m.receivers::text[] AS receivers, m.webhook_key_id AS "webhookKeyId", m.key_id AS "keyId", m.person_id AS "personId", m.key_revoked AS "keyRevoked", m.emitted_pause AS "emittedPause", m.uses_webhook AS "usesWebhook",
      coalesce(a.has_webhook, false) AS "hasWebhook", f.failures, m.lacks_credits AS "lacksCredits",
      f.last_number AS "lastNumber", m.emitted, m.fetched, m.fetching, a.tier, ${PLACE} AS place
    FROM monitors AS m JOIN feeds AS f ON f.id = m.feed_id ${action} LEFT JOIN accounts AS a ON a.id = m.account_id
    WHERE m.id = ${id}::uuid AND ${condition}`;
  return turn ?? null;
};

/** Locks a monitor by its turn; null if it is cancelled or has been woken since. */
export const lockTurn = (tx: Db, { id, epoch }: DueMonitor): Promise<MonitorTurn | null> =>
  lock(tx, id, Prisma.empty, Prisma.sql`m.lease_epoch = ${epoch}::bigint FOR UPDATE OF m`);

/** Locks a monitor by its action. */
export const lockAction = (tx: Db, { id, epoch }: DueMonitor): Promise<MonitorTurn | null> => {
  const action = Prisma.sql`JOIN actions AS e ON e.id = m.id`;
  return lock(tx, id, action, Prisma.sql`e.lease_epoch = ${epoch}::bigint FOR UPDATE OF m, e`);
};

type TurnChange = Partial<Pick<MonitorTurn, 'emitted' | 'fetched' | 'fetching' | 'lacksCredits'>> & {
  readonly jobError?: string | null;
};

export const saveTurn = (tx: Db, id: string, data: TurnChange) =>
  tx.monitor.update({ where: { id }, data, select: { id: true } });

/** Makes the videos above this number new videos again. */
export const reemitAfter = (tx: Db, { accountId, id }: OwnedMonitor, after: number) =>
  tx.$executeRaw`
    UPDATE monitors SET emitted = least(emitted, greatest(baseline, ${after}::int))
    WHERE id = ${id}::uuid AND account_id = ${accountId}::uuid`;

/** Saves the emitted pause reason and returns the version of the event. */
export const savePause = async (tx: Db, id: string, reason: string | null): Promise<number> => {
  const [row] = await tx.$queryRaw<{ version: number }[]>`
    UPDATE monitors SET emitted_pause = ${reason}, version = ${Prisma.raw(nextVersionSql('version'))}
    WHERE id = ${id}::uuid RETURNING version::float8 AS version`;
  return row?.version ?? 0;
};

/** SQL: makes rows due. The new epoch keeps a running turn or action from saving. */
const dueNow = (rows: 'm' | 'e') =>
  Prisma.raw(`SET due_at = now(), lease_until = NULL, lease_epoch = ${rows}.lease_epoch + 1`);

/** Makes the turns of monitors due, and their actions if they fetch videos. */
const wake = (tx: Db, which: Prisma.Sql) => tx.$executeRaw`
  WITH woken AS (
    UPDATE monitors AS m ${dueNow('m')} WHERE cancelled_at IS NULL AND ${which} RETURNING id, auto_fetch)
  UPDATE actions AS e ${dueNow('e')} FROM woken WHERE e.id = woken.id AND woken.auto_fetch`;

export const wakeMonitorsOfFeed = (tx: Db, feedId: string) => wake(tx, Prisma.sql`feed_id = ${feedId}::uuid`);

export const wakeMonitorsOfAccount = (tx: Db, accountId: string) =>
  wake(tx, Prisma.sql`account_id = ${accountId}::uuid`);

/** Does not disturb the action. */
export const wakeTurn = (tx: Db, id: string) =>
  tx.$executeRaw`UPDATE monitors AS m ${dueNow('m')} WHERE id = ${id}::uuid AND cancelled_at IS NULL`;

/** Does not disturb the actions. */
export const wakeTurnsOfAccount = (tx: Db, accountId: string) =>
  tx.$executeRaw`UPDATE monitors AS m ${dueNow('m')} WHERE account_id = ${accountId}::uuid AND cancelled_at IS NULL`;

/** The actions read the tier of the account again. */
export const wakeActionsOfAccount = (tx: Db, accountId: string) =>
  tx.$executeRaw`
    UPDATE actions AS e ${dueNow('e')} FROM monitors AS m
    WHERE m.id = e.id AND m.cancelled_at IS NULL AND e.account_id = ${accountId}::uuid`;

export const wakeForCredits = (tx: Db, accountId: string) =>
  wake(tx, Prisma.sql`account_id = ${accountId}::uuid AND lacks_credits`);

const noWebhook = { webhookUrl: null, webhookKeyId: null };

/** Pauses the monitors of a key that was revoked at once, and ends the webhook URLs that it gave to others. Idempotent. */
export const pauseForKey = async (db: Db, accountId: string, keyId: string) => {
  await db.$executeRaw`
    UPDATE monitors AS m ${dueNow('m')}, key_revoked = true
    WHERE account_id = ${accountId}::uuid AND cancelled_at IS NULL AND key_id = ${keyId}::uuid AND NOT key_revoked`;
  await db.monitor.updateMany({ where: { accountId, webhookKeyId: keyId }, data: noWebhook });
};

/** A monitor that waits for a key becomes that of this one. The webhook URL ends with the key that gave it. */
export const resumeWithKey = async (tx: Db, monitor: OwnedMonitor, keyId: string | null) => {
  const { count } = await tx.monitor.updateMany({
    where: { ...monitor, cancelledAt: null, keyRevoked: true },
    data: { keyId, keyRevoked: false, ...noWebhook },
  });
  if (count > 0) await wake(tx, Prisma.sql`id = ${monitor.id}::uuid`);
};

type SavedSettings = MonitorSettings & {
  readonly keyId?: string | null | undefined;
  readonly receivers?: readonly string[] | undefined;
};

/**
 * Saves the settings of a monitor, whose new videos are fetched from now on if they were not before. It becomes one of the key `keyId`, or with
 * null of the account, if it fetches and this or its words changed. With `changedAt` of a lost event, which names the key that had it then, not
 * if they were changed later. Returns when they were changed, and whose it is; null if they were not.
 */
export const saveSettings = async (
  tx: Db,
  { accountId, id }: OwnedMonitor,
  { autoFetch, words, mail, mailOnlyMatches, receivers, keyId }: SavedSettings,
  changedAt: string | null = null,
): Promise<{ changedAt: string; keyId: string | null } | null> => {
  const [row] = await tx.$queryRaw<{ at: Date; wakes: boolean; keyId: string | null }[]>`
    UPDATE monitors AS m SET words = ${words}::text[], mail = ${mail}, mail_only_matches = ${mailOnlyMatches}, auto_fetch = ${autoFetch},
      receivers = coalesce(${receivers ?? null}::uuid[], m.receivers),
      fetched = CASE WHEN b.begins THEN coalesce(b.last_number, m.fetched) ELSE m.fetched END,
      fetching = CASE WHEN b.begins THEN NULL ELSE m.fetching END,
      key_id = CASE WHEN b.moves THEN ${keyId ?? null}::uuid ELSE m.key_id END,
      webhook_key_id = CASE WHEN b.moves THEN coalesce(m.webhook_key_id, m.key_id) ELSE m.webhook_key_id END,
      changed_at = coalesce(${changedAt}::timestamptz, greatest(clock_timestamp(), m.changed_at + interval '1 millisecond'))
    FROM (
      SELECT o.id, ${autoFetch} AND NOT o.auto_fetch AS begins, f.last_number,
        ${keyId !== undefined} AND o.key_id IS DISTINCT FROM ${keyId ?? null}::uuid AND (${changedAt}::timestamptz IS NOT NULL
          OR (${autoFetch} AND NOT o.key_revoked AND (NOT o.auto_fetch OR o.words <> ${words}::text[]))) AS moves
      FROM monitors AS o LEFT JOIN feeds AS f ON f.id = o.feed_id WHERE o.id = ${id}::uuid FOR UPDATE OF o) AS b
    WHERE m.id = b.id AND m.account_id = ${accountId}::uuid
      AND (${changedAt}::timestamptz IS NULL OR coalesce(m.changed_at, m.created_at) < ${changedAt}::timestamptz)
    RETURNING m.changed_at AS at, m.key_id AS "keyId", b.begins OR b.moves AS wakes`;
  // The new epoch keeps a running action from counting its videos from the new number, or from beginning a job of the key before.
  if (row?.wakes) await wake(tx, Prisma.sql`id = ${id}::uuid`);
  return row ? { changedAt: row.at.toISOString(), keyId: row.keyId } : null;
};
