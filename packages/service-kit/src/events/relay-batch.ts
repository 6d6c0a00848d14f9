import type { JetStreamClient } from '@nats-io/jetstream';
import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../db/pool-transaction.ts';
import { crashPoint } from '../runtime/crash-points.ts';
import { markPublished, type OutboxMessage, type Published, publishRow } from './publish-row.ts';

export const BATCH_SIZE = 200;

type OutboxRow = OutboxMessage & { readonly age_seconds: number };

export type BatchResult = {
  readonly claimed: number;
  readonly publishedAgesSeconds: readonly number[];
  /** Why some were not published. */
  readonly failure?: unknown;
};

const CLAIM = {
  name: 'outbox-claim',
  text: `
    SELECT id, subject, payload::text AS payload, headers,
      extract(epoch FROM clock_timestamp() - coalesce(waiting_since, created_at))::float8 AS age_seconds
    FROM messaging.outbox
    WHERE published_at IS NULL AND (held_until IS NULL OR held_until < clock_timestamp())
    ORDER BY failures, seq LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED`,
};
const POSTPONE = 'UPDATE messaging.outbox SET failures = failures + 1 WHERE id = ANY ($1::uuid[])';

const save = async (
  client: PoolClient,
  rows: readonly OutboxRow[],
  published: readonly Published[],
): Promise<void> => {
  await markPublished(client, published);
  const ids = published.map(({ id }) => id);
  const failed = rows.filter((row) => !ids.includes(row.id)).map((row) => row.id);
  if (failed.length > 0) await client.query(POSTPONE, [failed]);
};

/**
 * Publishes the oldest events that no other relay holds, and marks those that the stream has acknowledged. A death before
 * the marking publishes them once more under the same id, which stream and inbox recognise.
 */
export const relayBatch = (pool: Pool, jetstream: JetStreamClient): Promise<BatchResult> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<OutboxRow>(CLAIM);
    if (rows.length === 0) return { claimed: 0, publishedAgesSeconds: [] };
    crashPoint('relay-claimed');
    const results = await Promise.allSettled(rows.map((row) => publishRow(jetstream, row)));
    crashPoint('relay-published');
    const published = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    await save(client, rows, published);
    const failure = results.find((result) => result.status === 'rejected')?.reason;
    return {
      claimed: rows.length,
      publishedAgesSeconds: rows.flatMap((row, n) =>
        results[n]?.status === 'fulfilled' ? [row.age_seconds] : [],
      ),
      failure,
    };
  });
