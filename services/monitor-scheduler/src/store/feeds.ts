import { randomUUID } from 'node:crypto';
import { type Backlog, type Due, dueRows, KNOWS_WHAT_IT_TOLD } from '@tds/service-kit';
import { FRESH_MS, MISSING_MS, SPREAD } from '../domain/cadence.ts';
import type { Source, Walk } from '../domain/source.ts';
import type { Database, Db, Pool } from './database.ts';
import { Prisma } from './prisma/client.ts';

/** Longer than the platform may take for a feed, a few pages of a list and some players. */
const LEASE_MS = 60_000;

const HASTENED_MS = 30_000;

type Read = Walk & {
  readonly kind: Source['kind'];
  readonly source_id: string;
  readonly title: string | null;
  readonly watchers: number;
  readonly failures: number;
};
/** What a check leaves on the feed itself. */
export type FeedState = Walk & Pick<Read, 'title' | 'failures'> & { readonly last_error: string | null };

/** A feed that is being checked; `epoch` fences off whoever had it before. */
export type DueFeed = Due<Read>;

const walk = { knows_list: 'boolean', list_in: 'integer', list_token: 'text', list_pages: 'integer' };
const reads = ['kind', 'source_id', 'title', 'watchers', 'failures', ...Object.keys(walk)];

export const feedRows = dueRows<Read, FeedState>({
  table: 'feeds',
  reads,
  writes: { title: 'text', failures: 'integer', last_error: 'text', ...walk },
  stamps: 'checked_at',
  leaseMs: LEASE_MS,
  jitter: SPREAD,
  while: KNOWS_WHAT_IT_TOLD,
});

/** A playlist that holds more than its feed shows was read to its end by the last look, or is being read. */
const IS_LISTED = `kind = 'channel' OR list_in IS NULL OR list_token IS NOT NULL OR list_in = greatest(list_pages, 1) - 1`;
/** It was read well a short while ago. */
const IS_FRESH = `failures = 0 AND coalesce(checked_at, '-infinity') > now() - ${FRESH_MS} * interval '1 ms' AND (${IS_LISTED})`;

const CLAIM_ONE = `
  UPDATE feeds SET lease_until = clock_timestamp() + $2::float8 * interval '1 millisecond', lease_epoch = lease_epoch + 1,
    list_in = CASE kind WHEN 'playlist' THEN 0 ELSE list_in END
  WHERE id = $1 AND (lease_until IS NULL OR lease_until <= now()) AND NOT (${IS_FRESH}) AND ${KNOWS_WHAT_IT_TOLD}
  RETURNING id, ${reads.join(', ')}, lease_epoch AS epoch`;

/** This feed now, due or not, and all of it where it is a playlist; null while somebody else has it, and where somebody has just read it. */
export const claimFeed = async (pool: Pool, id: string): Promise<DueFeed | null> =>
  (await pool.query<DueFeed>(CLAIM_ONE, [id, LEASE_MS])).rows[0] ?? null;

/** Others may have it at once: nothing was found out. */
export const letGoOfFeed = async (pool: Pool, { id, epoch }: DueFeed): Promise<void> => {
  await pool.query('UPDATE feeds SET lease_until = NULL WHERE id = $1 AND lease_epoch = $2', [id, epoch]);
};

/** The platform had none of it a short while ago: whoever asks again hears the same. */
const IS_MISSING = `last_error LIKE 'source_not_found:%' AND checked_at > now() - ${MISSING_MS} * interval '1 ms'`;

type Found = { readonly id: string; readonly isFresh: boolean; readonly isMissing: boolean | null };

/** The feed of a source, which nobody has to watch yet. */
export const findOrAddFeed = async (db: Database, { kind, id: sourceId }: Source): Promise<Found> => {
  const [found] = await db.$queryRaw<Found[]>`
    INSERT INTO feeds AS f (id, kind, source_id, due_at)
    VALUES (${randomUUID()}::uuid, ${kind}, ${sourceId}, 'infinity')
    ON CONFLICT (kind, source_id) DO UPDATE SET source_id = excluded.source_id
    RETURNING id, ${Prisma.raw(IS_FRESH)} AS "isFresh", ${Prisma.raw(IS_MISSING)} AS "isMissing"`;
  if (found === undefined) throw new Error('an upsert returned nothing');
  return found;
};

export type LockedFeed = { readonly lastNumber: number; readonly watchers: number };

/** The feed as it is, until the transaction ends; null where somebody else has it by now. */
export const lockDueFeed = async (tx: Db, { id, epoch }: DueFeed): Promise<LockedFeed | null> => {
  const [locked] = await tx.$queryRaw<LockedFeed[]>`
    SELECT last_number AS "lastNumber", watchers FROM feeds
    WHERE id = ${id}::uuid AND lease_epoch = ${epoch}::bigint FOR UPDATE`;
  return locked ?? null;
};

export const lockFeed = async (tx: Db, id: string): Promise<LockedFeed | null> => {
  const [locked] = await tx.$queryRaw<LockedFeed[]>`
    SELECT last_number AS "lastNumber", watchers FROM feeds WHERE id = ${id}::uuid FOR UPDATE`;
  return locked ?? null;
};

/** Its monitors that were above its limit may go on: their sources are read as soon as these have had their turns. */
export const hastenFeedsOfAccount = async (tx: Db, accountId: string): Promise<void> => {
  await tx.$executeRaw`
    UPDATE feeds SET due_at = least(due_at, now() + ${HASTENED_MS} * interval '1 ms') WHERE id IN (
      SELECT feed_id FROM monitors
      WHERE account_id = ${accountId}::uuid AND cancelled_at IS NULL AND told_pause = 'tier_limit')`;
};

/** One more watches it, or one less. Nobody reads what nobody watches. The feed is locked. */
export const countWatcher = async (tx: Db, id: string, step: 1 | -1, nextInMs: number): Promise<void> => {
  await tx.$executeRaw`
    UPDATE feeds SET watchers = watchers + ${step}::int, due_at = CASE
      WHEN watchers + ${step}::int = 0 THEN 'infinity'
      WHEN watchers = 0 THEN now() + ${nextInMs} * (1 + random() * ${SPREAD}) * interval '1 ms'
      ELSE due_at END
    WHERE id = ${id}::uuid`;
};

const overdueIn = async (pool: Pool, table: 'feeds' | 'monitors' | 'errands'): Promise<Backlog> => {
  const { rows } = await pool.query<Required<Backlog>>(`
    SELECT count(*)::int AS count,
      coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS "oldestSeconds"
    FROM ${table} WHERE greatest(due_at, lease_until) <= now()`);
  return rows[0] ?? { count: 0 };
};

/** Sources that are to be read, and that nobody reads. */
export const overdueFeeds = (pool: Pool): Promise<Backlog> => overdueIn(pool, 'feeds');

/** Monitors that are to ask other services, and that nobody runs the errand of. */
export const overdueErrands = (pool: Pool): Promise<Backlog> => overdueIn(pool, 'errands');

/** Monitors whose turn it is, and that nobody serves. */
export const overdueTurns = (pool: Pool): Promise<Backlog> => overdueIn(pool, 'monitors');
