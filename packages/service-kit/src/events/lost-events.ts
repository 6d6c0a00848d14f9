import {
  type ConsumerInfo,
  JetStreamApiError,
  type JetStreamManager,
  type StoredMsg,
} from '@nats-io/jetstream';
import type { Event } from '@tds/contracts';
import type { PoolClient } from 'pg';
import { messageContextOf, messageIdOf } from '../broker/message-headers.ts';
import { consumerNameOf, ensureStream, eventStream } from '../broker/streams.ts';
import { inTransaction } from '../db/pool-transaction.ts';
import { crashPoint } from '../runtime/crash-points.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { REPLAY_TASK } from './dead-letters.ts';
import { jsonText } from './json-text.ts';
import { movePosition, type Position, readPosition, type StreamNow } from './position.ts';

const PAGE_SIZE = 100;
const CONSUMER_NOT_FOUND = 10_014;

const consumerInfo = async (manager: JetStreamManager, name: string): Promise<ConsumerInfo | undefined> => {
  try {
    return await manager.consumers.info(eventStream.name, name);
  } catch (error) {
    // Nothing was acknowledged yet, or all will be delivered again.
    if (error instanceof JetStreamApiError && error.code === CONSUMER_NOT_FOUND) return undefined;
    throw error;
  }
};

/** The next messages of the subject after `after`, up to `upTo`. */
const readPage = async (
  manager: JetStreamManager,
  subject: string,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<StoredMsg[]> => {
  const page: StoredMsg[] = [];
  for (let seq = after + 1; seq <= upTo && page.length < PAGE_SIZE; ) {
    const wanted = { seq, next_by_subj: subject };
    const message = await manager.streams.getMessage(eventStream.name, wanted);
    if (message === null || message.seq > upTo) break;
    page.push(message);
    seq = message.seq + 1;
  }
  return page;
};

/** Neither done nor given up. */
const LOST = `
  SELECT id FROM unnest($2::uuid[]) AS given (id)
  WHERE NOT EXISTS (SELECT FROM messaging.inbox WHERE consumer = $1 AND message_id = given.id)
    AND NOT EXISTS (
      SELECT FROM messaging.dead_letters WHERE kind = 'event' AND source = $1 AND message_id = given.id)`;
const HANDLE_AGAIN = `SELECT messaging.enqueue_once('${REPLAY_TASK}', $1, $2::jsonb, $3::jsonb)`;

/** Leaves a task for each message that this database does not know: it has the retries and the end of every task. */
const handleAgain = async (
  client: PoolClient,
  subject: string,
  messages: readonly StoredMsg[],
): Promise<number> => {
  const byId = new Map(
    messages.flatMap((message) => {
      const id = messageIdOf(message.header);
      return id === undefined ? [] : [[id.toLowerCase(), message] as const];
    }),
  );
  const { rows } = await client.query<{ id: string }>(LOST, [subject, [...byId.keys()]]);
  for (const { id } of rows) {
    const message = byId.get(id);
    if (!message) continue;
    const payload = `{"subject":${JSON.stringify(subject)},"messageId":"${id}","streamSeq":${message.seq},"payload":${jsonText(message.string())}}`;
    const headers = JSON.stringify(messageContextOf(message.header));
    await client.query(HANDLE_AGAIN, [`${subject} ${id}`, payload, headers]);
  }
  return rows.length;
};

type Search = {
  readonly event: Event;
  readonly manager: JetStreamManager;
  readonly stream: StreamNow;
  readonly signal: AbortSignal;
};

/** Goes through what the broker saw acknowledged since the last time; resolves to the number of messages that were lost. */
const searchUpTo = async (
  { pool }: StoreRuntime,
  { event: { subject }, manager, stream, signal }: Search,
  { start, acknowledged, end }: { start: Position; acknowledged: number; end: number },
): Promise<number> => {
  let position = start;
  let lost = 0;
  let isDone = position.saved !== undefined && position.seq >= end;
  while (!isDone && !signal.aborted) {
    const page = await readPage(manager, subject, { after: position.seq, upTo: acknowledged });
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
  const { pool, service, log, metrics } = runtime;
  const { event, manager, stream } = search;
  // Asked after the stream's last position was read, so that what came since is not taken for acknowledged.
  const consumer = await consumerInfo(manager, consumerNameOf(service, event));
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

/**
 * Looks whether this database still has what the broker saw acknowledged: it may be a restored copy, or a standby that was
 * behind. What it lacks is handled again, as tasks; the broker would never deliver it once more. Resolves to the number.
 */
export const findLostEvents = async (runtime: StoreRuntime, signal: AbortSignal): Promise<number> => {
  const manager = await runtime.bus.jetstream.jetstreamManager(false);
  await ensureStream(manager, eventStream);
  const { created, state } = await manager.streams.info(eventStream.name);
  const stream = { created: String(created), firstSeq: state.first_seq, lastSeq: state.last_seq };
  let lost = 0;
  for (const event of runtime.surface.subscriptions)
    lost += await findLostOf(runtime, { event, manager, stream, signal });
  return lost;
};
