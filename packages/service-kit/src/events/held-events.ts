import type { Pool } from 'pg';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { REPLAY_TASK } from './dead-letters.ts';
import { readPayload } from './read-payload.ts';

/** A pool, or one connection. */
type Queries = Pick<Pool, 'query'>;

export type HeldEvent = {
  readonly id: string;
  readonly subject: string;
  readonly messageId: string;
  readonly payload: unknown;
  readonly reason: string;
};

/** Where it is held already, its row is locked all the same: nobody hands it over while this transaction ends its task. */
const HOLD = `
  INSERT INTO messaging.held_events (subject, message_id, stream_seq, payload, headers, reason)
  SELECT $1, $2, $3, $4::jsonb, $5::jsonb, $6
  WHERE NOT EXISTS (SELECT FROM messaging.inbox WHERE consumer = $1 AND message_id = $2::uuid)
  ON CONFLICT (subject, message_id) DO UPDATE SET reason = excluded.reason`;

/** Keeps an event that this release cannot read, unless another one has handled it. */
export const holdEvent = async (
  database: Queries,
  event: {
    readonly subject: string;
    readonly messageId: string;
    readonly streamSeq: number | null;
    readonly payload: string;
    readonly headers: unknown;
    readonly reason: string;
  },
): Promise<void> => {
  const { subject, messageId, streamSeq, payload, headers, reason } = event;
  await database.query(HOLD, [subject, messageId, streamSeq, payload, JSON.stringify(headers), reason]);
};

const LIST = `
  SELECT id, subject, message_id AS "messageId", payload, reason FROM messaging.held_events ORDER BY id DESC LIMIT $1`;

/** The newest events that wait for a release that can read them. */
export const listHeldEvents = async (
  database: Queries,
  { limit = 100 }: { limit?: number } = {},
): Promise<HeldEvent[]> => (await database.query<HeldEvent>(LIST, [limit])).rows;

/** There are some, since any time. */
export const FIRST_HELD = `SELECT '-infinity'::timestamptz FROM messaging.held_events LIMIT 1`;

const PAGE_SIZE = 200;
/** What is younger than a minute is looked at again: it may have been committed after a later one. */
const PAGE = `
  SELECT id, subject, message_id AS "messageId", payload, reason FROM messaging.held_events
  WHERE id > least($1::uuid, messaging.floor_id(now() - interval '1 minute')) AND id > $2::uuid
    AND subject = ANY ($3::text[])
  ORDER BY id LIMIT ${PAGE_SIZE}`;

const HAND_OVER = `
  WITH readable AS (DELETE FROM messaging.held_events WHERE id = ANY ($1::uuid[]) RETURNING *)
  SELECT messaging.enqueue_once('${REPLAY_TASK}', 'listener ' || subject || ' ' || message_id,
    jsonb_build_object('subject', subject, 'messageId', message_id, 'streamSeq', stream_seq, 'payload', payload), headers)
  FROM readable`;

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Looks through the events that were held, for those that this release can read, and leaves a task for each: it has the
 * retries and the end of every task. A process looks at each event once, since it will not learn to read. The function
 * resolves to the number of events.
 */
export const createHeldEventSearch = ({ pool, surface: { subscriptions } }: StoreRuntime) => {
  const bySubject = new Map(subscriptions.map((event) => [event.subject, event]));
  let seen = BEFORE_ALL;
  const isReadable = ({ subject, payload }: HeldEvent): boolean => {
    const event = bySubject.get(subject);
    return event !== undefined && 'data' in readPayload(event, JSON.stringify(payload));
  };
  return async (signal: AbortSignal): Promise<number> => {
    let found = 0;
    for (let after = BEFORE_ALL; !signal.aborted; ) {
      const { rows } = await pool.query<HeldEvent>(PAGE, [seen, after, [...bySubject.keys()]]);
      const readable = rows.filter(isReadable).map(({ id }) => id);
      if (readable.length > 0) found += (await pool.query(HAND_OVER, [readable])).rowCount ?? 0;
      after = rows.at(-1)?.id ?? after;
      if (after > seen) seen = after;
      if (rows.length < PAGE_SIZE) break;
    }
    return found;
  };
};
