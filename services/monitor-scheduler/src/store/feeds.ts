import { randomUUID } from 'node:crypto';
import { inTransaction, onlyRow } from '@tds/base';
import { HAS_ALL_EMITTED_EVENTS } from '@tds/messaging';
import { type Due, defineQueue } from '@tds/queue';
import { FRESH_MS, MISSING_MS, SPREAD } from '../domain/cadence.ts';
import type { ListProgress, Source } from '../domain/source.ts';
import type { Database, Db, Pool } from './database.ts';
import { Prisma } from './prisma/client.ts';

/** Longer than a check with its list pages and lookups takes. */
const LEASE_MS = 60_000;

/** When the feeds of an account are checked after its limit changed: after the turns of its monitors. */
const HASTENED_MS = 30_000;

type FeedColumns = ListProgress & {
  readonly kind: Source['kind'];
  readonly source_id: string;
  readonly title: string | null;
  readonly watchers: number;
  readonly failures: number;
};
/** What a check saves in the feed. */
export type FeedState = ListProgress &
  Pick<FeedColumns, 'title' | 'failures'> & { readonly last_error: string | null };

/** A claimed feed; `epoch` fences off earlier claims. */
export type DueFeed = Due<FeedColumns>;

const progress = { knows_list: 'boolean', list_in: 'integer', list_token: 'text', list_pages: 'integer' };
const reads = ['kind', 'source_id', 'title', 'watchers', 'failures', ...Object.keys(progress)];

export const feedQueue = defineQueue<FeedColumns, FeedState>({
  table: 'feeds',
  reads,
  writes: { title: 'text', failures: 'integer', last_error: 'text', ...progress },
  stamps: 'checked_at',
  leaseMs: LEASE_MS,
  jitter: SPREAD,
  where: HAS_ALL_EMITTED_EVENTS,
});

/** SQL: the list of a long playlist was read to its end by the last check, or is being read. */
const IS_LISTED = `kind = 'channel' OR list_in IS NULL OR list_token IS NOT NULL OR list_in = greatest(list_pages, 1) - 1`;
/** SQL: the feed was checked successfully within `FRESH_MS`. */
const IS_FRESH = `failures = 0 AND coalesce(checked_at, '-infinity') > now() - ${FRESH_MS} * interval '1 ms' AND (${IS_LISTED})`;

const CLAIM_ONE = `
  UPDATE feeds SET lease_until = clock_timestamp() + $2::float8 * interval '1 millisecond', lease_epoch = lease_epoch + 1,
    list_in = CASE kind WHEN 'playlist' THEN 0 ELSE list_in END
  WHERE id = $1 AND (lease_until IS NULL OR lease_until <= now()) AND NOT (${IS_FRESH}) AND ${HAS_ALL_EMITTED_EVENTS}
  RETURNING id, ${reads.join(', ')}, lease_epoch AS epoch, due_at::text AS "dueAt"`;

const IN_WORK = 'SELECT count(*)::integer AS n FROM feeds WHERE lease_until > clock_timestamp()';

/** Claims at most the free slots of all instances, one claim at a time. A lease is a slot: one of a dead instance comes back with its end. */
const withinSlots = <Claimed>(
  pool: Pool,
  slots: number,
  claim: (client: Pick<Pool, 'query'>, free: number) => Promise<Claimed>,
): Promise<Claimed> =>
  inTransaction(pool, async (client) => {
    await client.query(`SELECT pg_advisory_xact_lock(hashtext('slots for feeds'))`);
    const { rows } = await client.query<{ n: number }>(IN_WORK);
    return claim(client, Math.max(0, slots - (rows[0]?.n ?? 0)));
  });

/** `feedQueue` whose leases are never more than `slots`. */
export const feedQueueWithin = (slots: number): typeof feedQueue => ({
  ...feedQueue,
  claim: (pool, limit) =>
    withinSlots(pool as Pool, slots, (client, free) => feedQueue.claim(client, Math.min(limit, free))),
});

/** Claims a feed before it is due; a playlist is read whole. Null if another process has it, it is fresh, or no place is free. */
export const claimFeed = (pool: Pool, id: string, slots: number): Promise<DueFeed | null> =>
  withinSlots(pool, slots, async (client, free) =>
    free === 0 ? null : ((await client.query<DueFeed>(CLAIM_ONE, [id, LEASE_MS])).rows[0] ?? null),
  );

/** Ends a claim without a result. */
export const releaseFeed = (pool: Pool, { id, epoch }: DueFeed) =>
  pool.query('UPDATE feeds SET lease_until = NULL WHERE id = $1 AND lease_epoch = $2', [id, epoch]);

/** SQL: the platform had no such source within `MISSING_MS`. */
const IS_MISSING = `last_error LIKE 'source_not_found:%' AND checked_at > now() - ${MISSING_MS} * interval '1 ms'`;

type FeedRow = { readonly id: string; readonly isFresh: boolean; readonly isMissing: boolean | null };

/** The feed of a source. A new one has no watchers and is not due. */
export const findOrAddFeed = async (db: Database, { kind, id: sourceId }: Source): Promise<FeedRow> =>
  onlyRow(
    await db.$queryRaw`
      INSERT INTO feeds AS f (id, kind, source_id, due_at)
      VALUES (${randomUUID()}::uuid, ${kind}, ${sourceId}, 'infinity')
      ON CONFLICT (kind, source_id) DO UPDATE SET source_id = excluded.source_id
      RETURNING id, ${Prisma.raw(IS_FRESH)} AS "isFresh", ${Prisma.raw(IS_MISSING)} AS "isMissing"`,
  );

type LockedFeed = { readonly lastNumber: number; readonly watchers: number };

/** Locks a feed; null if it does not exist, or if another process has claimed it since `epoch`. */
export const lockFeed = async (
  tx: Db,
  { id, epoch }: Pick<DueFeed, 'id'> & Partial<Pick<DueFeed, 'epoch'>>,
): Promise<LockedFeed | null> => {
  const [row] = await tx.$queryRaw<LockedFeed[]>`
    SELECT last_number AS "lastNumber", watchers FROM feeds
    WHERE id = ${id}::uuid AND lease_epoch = coalesce(${epoch}::bigint, lease_epoch) FOR UPDATE`;
  return row ?? null;
};

/** Makes the feeds of an account's monitors above its limit due soon, because they may resume. */
export const hastenFeedsOfAccount = (tx: Db, accountId: string) =>
  tx.$executeRaw`
    UPDATE feeds SET due_at = least(due_at, now() + ${HASTENED_MS} * interval '1 ms') WHERE id IN (
      SELECT feed_id FROM monitors
      WHERE account_id = ${accountId}::uuid AND cancelled_at IS NULL AND emitted_pause = 'tier_limit')`;

/** Adds or removes a watcher. A feed without watchers is never due. Requires the feed lock. */
export const countWatcher = (tx: Db, id: string, step: 1 | -1, nextInMs: number) =>
  tx.$executeRaw`
    UPDATE feeds SET watchers = watchers + ${step}::int, due_at = CASE
      WHEN watchers + ${step}::int = 0 THEN 'infinity'
      WHEN watchers = 0 THEN now() + ${nextInMs} * (1 + random() * ${SPREAD}) * interval '1 ms'
      ELSE due_at END
    WHERE id = ${id}::uuid`;

/** Requires the feed lock. */
export const saveFeedState = async (
  tx: Db,
  id: string,
  { title, failures, last_error, knows_list, list_in, list_token, list_pages }: FeedState,
  lastNumber: number,
) => {
  const progress = { knowsList: knows_list, listIn: list_in, listToken: list_token, listPages: list_pages };
  const data = { lastNumber, title, failures, lastError: last_error, ...progress };
  await tx.feed.update({ where: { id }, data });
};
