import type { ConsumerInfo, JsMsg } from '@nats-io/jetstream';
import type { Event } from '@tds/contracts';
import type { PoolClient } from 'pg';
import { messageContextOf, messageIdOf } from '../broker/message-headers.ts';
import { readStream } from '../broker/read-stream.ts';
import {
  CONSUMER_NOT_FOUND,
  consumerNameOf,
  eventStream,
  eventStreamName,
  failedWith,
  prepareStream,
  readersOf,
} from '../broker/streams.ts';
import { inTransaction } from '../db/pool-transaction.ts';
import { crashPoint } from '../runtime/crash-points.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { REPLAY_TASK } from './dead-letters.ts';
import { jsonText } from './json-text.ts';
import { movePosition, type Position, readPosition, type StreamNow } from './position.ts';

const PAGE_SIZE = 100;

const consumerInfo = async (
  { bus, service }: StoreRuntime,
  event: Event,
): Promise<ConsumerInfo | undefined> => {
  const manager = await bus.jetstream.jetstreamManager(false);
  try {
    return await manager.consumers.info(eventStreamName(event.owner), consumerNameOf(service, event));
  } catch (error) {
    // Nothing was acknowledged yet, or all will be delivered again.
    if (failedWith(error, CONSUMER_NOT_FOUND)) return undefined;
    throw error;
  }
};

/** Neither done nor given up, nor held for another release. */
const LOST = `
  SELECT id FROM unnest($2::uuid[]) AS given (id)
  WHERE NOT EXISTS (SELECT FROM messaging.inbox WHERE consumer = $1 AND message_id = given.id)
    AND NOT EXISTS (SELECT FROM messaging.held_events WHERE subject = $1 AND message_id = given.id)
    AND NOT EXISTS (
      SELECT FROM messaging.dead_letters WHERE kind = 'event' AND source = $1 AND message_id = given.id)`;
const HANDLE_AGAIN = `SELECT messaging.enqueue_once('${REPLAY_TASK}', $1, $2::jsonb, $3::jsonb)`;

/** Leaves a task for each message that this database does not know: it has the retries and the end of every task. */
const handleAgain = async (
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

type Search = {
  readonly event: Event;
  readonly stream: StreamNow;
  readonly signal: AbortSignal;
};

/** Goes through what the broker saw acknowledged since the last time; resolves to the number of messages that were lost. */
const searchUpTo = async (
  { pool, bus, service }: StoreRuntime,
  { event, stream, signal }: Search,
  { start, acknowledged, end }: { start: Position; acknowledged: number; end: number },
): Promise<number> => {
  const { subject, owner } = event;
  const reader = readersOf(consumerNameOf(service, event)).search;
  const wanted = { stream: eventStreamName(owner), reader, subject, upTo: acknowledged, most: PAGE_SIZE };
  let position = start;
  let lost = 0;
  let isDone = position.saved !== undefined && position.seq >= end;
  while (!isDone && !signal.aborted) {
    const page =
      position.seq < acknowledged ? await readStream(bus, { ...wanted, from: position.seq + 1 }) : [];
    isDone = page.length < PAGE_SIZE;
    const seq = isDone ? end : (page.at(-1)?.seq ?? end);
    const from = position;
    position = await inTransaction(pool, async (client) => {
      lost += await handleAgain(client, subject, page);
      return movePosition(client, subject, { from, to: { created: stream.created, seq } });
    });
    crashPoint('position-moved');
  }
  return lost;
};

const findLostOf = async (runtime: StoreRuntime, search: Search): Promise<number> => {
  const { pool, log, metrics } = runtime;
  const { event, stream } = search;
  // Asked after the stream's last position was read, so that what came since is not taken for acknowledged.
  const consumer = await consumerInfo(runtime, event);
  const acknowledged = consumer?.ack_floor.stream_seq ?? 0;
  const hasAll = consumer?.num_pending === 0 && consumer.num_ack_pending === 0;
  const start = await readPosition(pool, event.subject, stream);
  if (start.saved && start.seq < acknowledged && start.seq + 1 < stream.firstSeq) {
    metrics.eventGaps.inc({ name: event.wireName });
    log.error(
      'this database may lack events that the stream keeps no more: their owner has to publish them again',
      { event: event.wireName, afterSeq: start.seq, beforeSeq: stream.firstSeq },
    );
  }
  const end = Math.max(start.seq, acknowledged, hasAll ? stream.lastSeq : 0);
  const lost = await searchUpTo(runtime, search, { start, acknowledged, end });
  if (lost === 0) return 0;
  metrics.lostEvents.inc({ name: event.wireName }, lost);
  log.warn('this database has lost events that were handled before: they are handled again', {
    event: event.wireName,
    events: lost,
  });
  return lost;
};

const streamNow = async ({ bus }: StoreRuntime, { owner }: Event): Promise<StreamNow> => {
  await prepareStream(bus, eventStream(owner, bus.streamLimits));
  const manager = await bus.jetstream.jetstreamManager(false);
  const { created, state } = await manager.streams.info(eventStreamName(owner));
  return { created: String(created), firstSeq: state.first_seq, lastSeq: state.last_seq };
};

/**
 * Looks whether this database still has what the broker saw acknowledged: it may be a restored copy, or a standby that was
 * behind. What it lacks is handled again, as tasks; the broker would never deliver it once more. Resolves to the number.
 */
export const findLostEvents = async (runtime: StoreRuntime, signal: AbortSignal): Promise<number> => {
  let lost = 0;
  for (const event of runtime.surface.subscriptions)
    lost += await findLostOf(runtime, { event, stream: await streamNow(runtime, event), signal });
  return lost;
};
