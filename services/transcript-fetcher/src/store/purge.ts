import type { Database, Db } from './database.ts';

type Age = { readonly olderThanDays: number };

/** All purges delete up to `limit` rows, oldest first, at the place of each, so that no plan reads the table; and return their number. */
export const purgeOperations = (db: Database, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM operations WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM operations WHERE created_at < now() - ${olderThanDays} * interval '1 day'
        AND ended_at < now() - ${olderThanDays} * interval '1 day'
      ORDER BY created_at LIMIT ${limit}))`;

export const purgeFetches = (db: Database, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM fetches WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM fetches f WHERE state <> 'open' AND begun_at < now() - ${olderThanDays} * interval '1 day'
        AND NOT EXISTS (SELECT FROM operations o WHERE o.fetch_id = f.id)
      ORDER BY begun_at LIMIT ${limit}))`;

/** Looks each batch up in the index of its priority, because together these lookups would read all operations. */
export const purgeBatches = (db: Db, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM batches WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM batches l WHERE NOT is_queued AND created_at < now() - ${olderThanDays} * interval '1 day'
        AND NOT EXISTS (SELECT FROM operations o WHERE o.batch_id = l.id AND o.priority = 'jobs' OFFSET 0)
        AND NOT EXISTS (SELECT FROM operations o WHERE o.batch_id = l.id AND o.priority = 'reads' OFFSET 0)
      ORDER BY created_at LIMIT ${limit}))`;

export const purgeColdCounts = (db: Database, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM cold_counts WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM cold_counts WHERE day < (now() AT TIME ZONE 'UTC')::date - ${olderThanDays}::integer
      LIMIT ${limit}))`;

/** Deletes turns of accounts that do not wait. An account that returns is treated as new. */
export const purgeTurns = (db: Database, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM turns WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM turns WHERE NOT is_queued AND turn < now() - ${olderThanDays} * interval '1 day'
      LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;

export const purgeProxySpending = (db: Database, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM proxy_spending WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM proxy_spending WHERE day < (now() AT TIME ZONE 'UTC')::date - ${olderThanDays}::integer
      LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;

export const purgeSelections = (db: Database, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM selections WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM selections WHERE transcript_id IS NULL
        AND expires_at < now() - ${olderThanDays} * interval '1 day' LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;

export const purgeVideos = (db: Database, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM videos WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM videos AS v WHERE fact_expires_at < now() - ${olderThanDays} * interval '1 day'
        AND NOT EXISTS (SELECT FROM transcripts AS t WHERE t.video_id = v.id)
        AND NOT EXISTS (SELECT FROM selections AS s WHERE s.video_id = v.id)
      ORDER BY fact_expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
