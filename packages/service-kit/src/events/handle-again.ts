import type { JsMsg } from '@nats-io/jetstream';
import type { PoolClient } from 'pg';
import { messageContextOf, messageIdOf } from '../broker/message-headers.ts';
import { jsonText } from './json-text.ts';
import { type ReplayFor, replayLater } from './replay-later.ts';

/** Neither handled nor given up. */
const LOST = `
  SELECT id FROM unnest($2::uuid[]) AS given (id)
  WHERE NOT EXISTS (SELECT FROM messaging.inbox WHERE consumer = $1 AND message_id = given.id)
    AND NOT EXISTS (
      SELECT FROM messaging.dead_letters WHERE kind = 'event' AND source = $1 AND message_id = given.id)`;

/** What a message of a stream is as a replay. */
export const replayOf = (message: JsMsg, messageId: string, given: ReplayFor) => ({
  for: given,
  subject: message.subject,
  messageId,
  streamSeq: message.seq,
  payload: jsonText(message.string()),
  headers: messageContextOf(message.headers),
});

/** Leaves a task for each message that this database does not know. Resolves to their number. */
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
    if (message) await replayLater(client, replayOf(message, id, 'listener'));
  }
  return rows.length;
};
