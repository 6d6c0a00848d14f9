import type { JetStreamClient } from '@nats-io/jetstream';
import type { Pool } from 'pg';
import { eventHeaders } from '../bus/message-headers.ts';
import { inTransaction } from '../db/pool-transaction.ts';
import { crashPoint } from '../run/crash-points.ts';

export const BATCH_SIZE = 200;
/** Short, because the rows are locked meanwhile; a broker that does not answer in time is tried again later. */
const PUBLISH_TIMEOUT_MS = 2_000;

type OutboxRow = {
  readonly id: string;
  readonly subject: string;
  readonly payload: string;
  readonly headers: unknown;
  readonly age_seconds: number;
};

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
      extract(epoch FROM clock_timestamp() - created_at)::float8 AS age_seconds
    FROM messaging.outbox WHERE published_at IS NULL ORDER BY seq LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED`,
};
const MARK = {
  name: 'outbox-mark',
  text: 'UPDATE messaging.outbox SET published_at = clock_timestamp() WHERE id = ANY ($1::uuid[])',
};

const publish = async (jetstream: JetStreamClient, row: OutboxRow): Promise<OutboxRow> => {
  const headers = eventHeaders(row.id, row.headers);
  await jetstream.publish(row.subject, row.payload, {
    msgID: row.id,
    headers,
    timeout: PUBLISH_TIMEOUT_MS,
    retries: 1,
  });
  return row;
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
    const results = await Promise.allSettled(rows.map((row) => publish(jetstream, row)));
    crashPoint('relay-published');
    const published = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    if (published.length > 0) await client.query({ ...MARK, values: [published.map((row) => row.id)] });
    const failure = results.find((result) => result.status === 'rejected')?.reason;
    return { claimed: rows.length, publishedAgesSeconds: published.map((row) => row.age_seconds), failure };
  });
