import type { JetStreamClient } from '@nats-io/jetstream';
import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../db/pool-transaction.ts';
import { crashPoint } from '../runtime/crash-points.ts';
import { markPublished, type OutboxMessage, type Published, publishRow } from './publish-row.ts';
import { hasNoRoom } from './stream-room.ts';

export const BATCH_SIZE = 200;

type OutboxRow = OutboxMessage & { readonly age_seconds: number };

type BatchResult = {
  readonly claimed: number;
  readonly publishedAgesSeconds: readonly number[];
  /** Why some were not published; that there is no room comes first. */
  readonly failure?: unknown;
};

/** Nobody has published it, nor is just about to. */
export const IS_UNPUBLISHED =
  'published_at IS NULL AND (held_until IS NULL OR held_until < clock_timestamp())';

/** Of the one that a claim would take first; null where nobody holds it. */
export const FIRST_HELD_UNTIL =
  'SELECT held_until FROM messaging.outbox WHERE published_at IS NULL ORDER BY failures, seq LIMIT 1';

const CLAIM = {
  name: 'outbox-claim',
  text: `
    SELECT id, subject, payload::text AS payload, headers,
      extract(epoch FROM clock_timestamp() - coalesce(waiting_since, created_at))::float8 AS age_seconds
    FROM messaging.outbox
    WHERE ${IS_UNPUBLISHED}
    ORDER BY failures, seq LIMIT $1 FOR UPDATE SKIP LOCKED`,
};
/** For whoever has nothing to publish most of the time: one statement instead of a transaction. */
const HAS_UNPUBLISHED = {
  name: 'outbox-look',
  text: `SELECT FROM messaging.outbox WHERE ${IS_UNPUBLISHED} LIMIT 1`,
};

export const hasUnpublished = async (pool: Pool): Promise<boolean> =>
  (await pool.query(HAS_UNPUBLISHED)).rowCount === 1;

const POSTPONE = 'UPDATE messaging.outbox SET failures = failures + 1 WHERE id = ANY ($1::uuid[])';

type Result = { readonly row: OutboxRow; readonly outcome: PromiseSettledResult<Published> };

const failureOf = ({ outcome }: Result): unknown =>
  outcome.status === 'rejected' ? outcome.reason : undefined;

/** What the stream has no room for keeps its place. */
const save = async (client: PoolClient, results: readonly Result[]): Promise<void> => {
  await markPublished(
    client,
    results.flatMap(({ outcome }) => (outcome.status === 'fulfilled' ? [outcome.value] : [])),
  );
  const failed = results.filter((result) => {
    const failure = failureOf(result);
    return failure !== undefined && !hasNoRoom(failure);
  });
  if (failed.length > 0) await client.query(POSTPONE, [failed.map(({ row }) => row.id)]);
};

/**
 * Publishes the oldest events that no other relay holds, up to `most`, and marks those that the stream has acknowledged. A
 * death before the marking publishes them once more under the same id, which stream and inbox recognise.
 */
export const relayBatch = (pool: Pool, jetstream: JetStreamClient, most: number): Promise<BatchResult> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<OutboxRow>({ ...CLAIM, values: [most] });
    if (rows.length === 0) return { claimed: 0, publishedAgesSeconds: [] };
    crashPoint('relay-claimed');
    const outcomes = await Promise.allSettled(rows.map((row) => publishRow(jetstream, row)));
    crashPoint('relay-published');
    const results = rows.map((row, n) => ({ row, outcome: outcomes[n] as Result['outcome'] }));
    await save(client, results);
    const failures = results.map(failureOf).filter((failure) => failure !== undefined);
    return {
      claimed: rows.length,
      publishedAgesSeconds: results.flatMap(({ row, outcome }) =>
        outcome.status === 'fulfilled' ? [row.age_seconds] : [],
      ),
      failure: failures.find(hasNoRoom) ?? failures[0],
    };
  });
