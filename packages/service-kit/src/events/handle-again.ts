import type { JsMsg } from '@nats-io/jetstream';
import type { PoolClient } from 'pg';
import { messageContextOf, messageIdOf } from '../broker/message-headers.ts';
import { REPLAY_TASK } from './dead-letters.ts';
import { jsonText } from './json-text.ts';

/** Neither done nor given up, nor held for another release. */
const LOST = `
  SELECT id FROM unnest($2::uuid[]) AS given (id)
  WHERE NOT EXISTS (SELECT FROM messaging.inbox WHERE consumer = $1 AND message_id = given.id)
    AND NOT EXISTS (SELECT FROM messaging.held_events WHERE subject = $1 AND message_id = given.id)
    AND NOT EXISTS (
      SELECT FROM messaging.dead_letters WHERE kind = 'event' AND source = $1 AND message_id = given.id)`;
const HANDLE_AGAIN = `SELECT messaging.enqueue_once('${REPLAY_TASK}', $1, $2::jsonb, $3::jsonb)`;

/**
 * Leaves a task for each message that this database does not know: it has the retries and the end of every task. Resolves
 * to their number.
 */
export const handleAgain = async (
  client: PoolClient,
  subject: string,
  messages: readonly JsMsg[],
): Promise<number> => {
  const byId = new Map(
    messages.flatMap((message) => {
      const id = messageIdOf(message.headers);
      return id === undefined ? [] : [[id.toLowerCase(), message] as const];
    }),
  );
  const { rows } = await client.query<{ id: string }>(LOST, [subject, [...byId.keys()]]);
  for (const { id } of rows) {
    const message = byId.get(id);
    if (!message) continue;
    const payload = `{"subject":${JSON.stringify(subject)},"messageId":"${id}","streamSeq":${message.seq},"payload":${jsonText(message.string())}}`;
    const headers = JSON.stringify(messageContextOf(message.headers));
    await client.query(HANDLE_AGAIN, [`${subject} ${id}`, payload, headers]);
  }
  return rows.length;
};
