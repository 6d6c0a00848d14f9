import type { JetStreamClient } from '@nats-io/jetstream';
import { named } from '@tds/base/internals';
import type { Pool, PoolClient } from 'pg';
import { eventHeaders } from '../broker/message-headers.ts';
import { eventStreamName, StreamFailure } from '../broker/streams.ts';

/** Short, because rows wait for it; a broker that does not answer in time is tried again later. */
const PUBLISH_TIMEOUT_MS = 2_000;

/** The part of an outbox row that goes to the stream. */
export type OutboxMessage = {
  readonly id: string;
  readonly subject: string;
  readonly payload: string;
  readonly headers: unknown;
};

/** The position that the stream gave the event. */
export type PublishedRow = { readonly id: string; readonly seq: number };

/** Under the row's id: the stream takes a second publish for the first within two minutes, listeners for longer. */
export const publishRow = async (jetstream: JetStreamClient, row: OutboxMessage): Promise<PublishedRow> => {
  const options = { msgID: row.id, headers: eventHeaders(row.id, row.headers), timeout: PUBLISH_TIMEOUT_MS };
  try {
    return { id: row.id, seq: (await jetstream.publish(row.subject, row.payload, options)).seq };
  } catch (error) {
    // The client's words for a subject that no stream takes are "jetstream is not enabled".
    if ((error as Error).name !== 'JetStreamNotEnabled') throw error;
    throw new StreamFailure(eventStreamName(row.subject.split('.')[1] ?? ''), 'is missing');
  }
};

/** Does not wait for the disk: an event whose mark is lost is published once more, as after a death. */
const MARK = `
  UPDATE messaging.outbox SET published_at = clock_timestamp(), stream_seq = published.seq
  FROM (SELECT set_config('synchronous_commit', 'off', true)) AS quick,
    unnest($1::uuid[], $2::bigint[]) AS published (id, seq) WHERE outbox.id = published.id`;

/** Marks acknowledged events as published. */
export const markPublished = async (
  client: Pool | PoolClient,
  rows: readonly PublishedRow[],
): Promise<void> => {
  if (rows.length === 0) return;
  await client.query(named(MARK, [rows.map(({ id }) => id), rows.map(({ seq }) => seq)]));
};
