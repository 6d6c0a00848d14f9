import type { JsMsg } from '@nats-io/jetstream';
import type { Pool } from 'pg';
import { messageContextOf } from '../broker/message-headers.ts';
import { REPLAY_TASK } from './dead-letters.ts';

/** A pool, or one connection. */
type Queries = Pick<Pool, 'query'>;

/** Who handles the event again: the listener that lost it, or the service that emitted it and lost that. */
type ReplayFor = 'listener' | 'emitter';

type Replay = {
  readonly for: ReplayFor;
  readonly subject: string;
  readonly messageId: string;
  readonly streamSeq: number;
  /** JSON. */
  readonly payload: string;
  readonly headers: unknown;
};

const ENQUEUE = `SELECT messaging.enqueue_task(
  p_name => '${REPLAY_TASK}', p_payload => $2::jsonb, p_headers => $3::jsonb, p_delay_ms => $4::bigint, p_key => $1
)`;

/** Enqueues a task that replays the event, with the retries of every task; one per event, however often it is enqueued. */
export const replayLater = async (database: Queries, replay: Replay, delayMs = 0): Promise<void> => {
  const { payload, headers, ...envelope } = replay;
  const text = `${JSON.stringify(envelope).slice(0, -1)},"payload":${payload}}`;
  const key = `${replay.for} ${replay.subject} ${replay.messageId}`;
  await database.query(ENQUEUE, [key, text, JSON.stringify(headers), delayMs]);
};

/** The message as the text of a JSON value: itself, or as a string if it is not JSON. */
export const jsonText = (body: string): string => {
  try {
    JSON.parse(body);
    return body;
  } catch {
    return JSON.stringify(body);
  }
};

/** The replay of a message of a stream. */
export const toReplay = (message: JsMsg, messageId: string, recipient: ReplayFor) => ({
  for: recipient,
  subject: message.subject,
  messageId,
  streamSeq: message.seq,
  payload: jsonText(message.string()),
  headers: messageContextOf(message.headers),
});
