import type { JetStreamClient } from '@nats-io/jetstream';
import type { Pool, PoolClient } from 'pg';
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
      extract(epoch FROM clock_timestamp() - coalesce(waiting_since, created_at))::float8 AS age_seconds
    FROM messaging.outbox WHERE published_at IS NULL
    ORDER BY failures, seq LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED`,
};
const MARK = {
  name: 'outbox-mark',
  text: `
    UPDATE messaging.outbox SET published_at = clock_timestamp(), stream_seq = published.seq
    FROM unnest($1::uuid[], $2::bigint[]) AS published (id, seq) WHERE outbox.id = published.id`,
};
const POSTPONE = 'UPDATE messaging.outbox SET failures = failures + 1 WHERE id = ANY ($1::uuid[])';

type Published = { readonly row: OutboxRow; readonly seq: number };

const publish = async (jetstream: JetStreamClient, row: OutboxRow): Promise<Published> => {
  const headers = eventHeaders(row.id, row.headers);
  const { seq } = await jetstream.publish(row.subject, row.payload, {
    msgID: row.id,
    headers,
    timeout: PUBLISH_TIMEOUT_MS,
    retries: 1,
  });
  return { row, seq };
};

const save = async (
  client: PoolClient,
  rows: readonly OutboxRow[],
  published: readonly Published[],
): Promise<void> => {
  const ids = published.map(({ row }) => row.id);
  if (ids.length > 0) await client.query({ ...MARK, values: [ids, published.map(({ seq }) => seq)] });
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
    const results = await Promise.allSettled(rows.map((row) => publish(jetstream, row)));
    crashPoint('relay-published');
    const published = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    await save(client, rows, published);
    const failure = results.find((result) => result.status === 'rejected')?.reason;
    return {
      claimed: rows.length,
      publishedAgesSeconds: published.map(({ row }) => row.age_seconds),
      failure,
    };
  });
