import type { JetStreamClient } from '@nats-io/jetstream';
import type { Pool, PoolClient } from 'pg';
import { eventHeaders } from '../broker/message-headers.ts';

/** Short, because rows wait for it; a broker that does not answer in time is tried again later. */
const PUBLISH_TIMEOUT_MS = 2_000;

/** What of an outbox row goes to the stream. */
export type OutboxMessage = {
  readonly id: string;
  readonly subject: string;
  readonly payload: string;
  readonly headers: unknown;
};

/** Where the stream keeps it. */
export type Published = { readonly id: string; readonly seq: number };

/** Under the row's id: the stream takes a second publish for the first within two minutes, listeners for longer. */
export const publishRow = async (jetstream: JetStreamClient, row: OutboxMessage): Promise<Published> => {
  const { seq } = await jetstream.publish(row.subject, row.payload, {
    msgID: row.id,
    headers: eventHeaders(row.id, row.headers),
    timeout: PUBLISH_TIMEOUT_MS,
    retries: 1,
  });
  return { id: row.id, seq };
};

const MARK = {
  name: 'outbox-mark',
  text: `
    UPDATE messaging.outbox SET published_at = clock_timestamp(), stream_seq = published.seq
    FROM unnest($1::uuid[], $2::bigint[]) AS published (id, seq) WHERE outbox.id = published.id`,
};

/** Marks what the stream has acknowledged. */
export const markPublished = async (
  client: Pool | PoolClient,
  published: readonly Published[],
): Promise<void> => {
  if (published.length === 0) return;
  await client.query({ ...MARK, values: [published.map(({ id }) => id), published.map(({ seq }) => seq)] });
};
