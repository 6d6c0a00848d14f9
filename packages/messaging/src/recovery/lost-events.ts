import type { ConsumerInfo } from '@nats-io/jetstream';
import type { Event } from '@tds/contracts';
import type { PoolClient } from 'pg';
import { messageIdOf } from '../broker/message-headers.ts';
import { readStream } from '../broker/read-stream.ts';
import { readFirstSeq, readStreamState, type StreamState } from '../broker/stream-now.ts';
import {
  CONSUMER_NOT_FOUND,
  consumerNameOf,
  ensureConsumer,
  failedWith,
  lostEventsReader,
  resetConsumer,
} from '../broker/streams.ts';
import { toConsumer } from '../inbox/listen.ts';
import { replayLater, toReplay } from '../inbox/replays.ts';
import { crashPoint } from '../runtime/crash-points.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { compareStream, type MessagesById } from './compare-stream.ts';
import { type Checkpoint, movePosition, type Position, readPosition } from './position.ts';

const PAGE_SIZE = 100;

/** Neither handled nor given up. */
const LOST = `
  SELECT id FROM unnest($2::uuid[]) AS message (id)
  WHERE NOT EXISTS (SELECT FROM messaging.inbox WHERE consumer = $1 AND message_id = message.id)
    AND NOT EXISTS (
      SELECT FROM messaging.dead_letters WHERE kind = 'event' AND source = $1 AND message_id = message.id)`;

/** Leaves a task for each message that this database does not know. Resolves to their number. */
const replayLost = async (client: PoolClient, subject: string, messages: MessagesById): Promise<number> => {
  const { rows } = await client.query<{ id: string }>(LOST, [subject, [...messages.keys()]]);
  for (const { id } of rows) {
    const message = messages.get(id);
    if (message) await replayLater(client, toReplay(message, id, 'listener'));
  }
  return rows.length;
};

type Search = {
  readonly event: Event;
  readonly stream: StreamState;
  readonly signal: AbortSignal;
};

const consumerInfo = async (runtime: StoreRuntime, event: Event): Promise<ConsumerInfo> => {
  const definition = toConsumer(runtime, event);
  const manager = await runtime.bus.jetstream.jetstreamManager(false);
  try {
    return await manager.consumers.info(definition.stream.name, definition.name);
  } catch (error) {
    if (!failedWith(error, CONSUMER_NOT_FOUND)) throw error;
    // A broker that lost the consumer may still have its file, and would continue from there.
    return await (await ensureConsumer(runtime.bus, definition)).info();
  }
};

/** The stream forgets all the time, so it is asked for its first message when what it keeps beyond the position has been read. */
const reportGap = async (
  { bus, metrics, log }: StoreRuntime,
  { event, stream }: Search,
  { seq, record }: Position,
): Promise<void> => {
  const firstSeq = await readFirstSeq(bus, stream.name);
  if (record === null || seq + 1 >= firstSeq) return;
  metrics.eventGaps.inc({ name: event.wireName });
  log.error(
    'this database may lack events that the stream keeps no more: their owner has to publish them again',
    { event: event.wireName, afterSeq: seq, beforeSeq: firstSeq },
  );
};

const toReader = ({ service }: StoreRuntime, { event, stream }: Search) => ({
  reader: lostEventsReader(consumerNameOf(service, event)),
  subject: event.subject,
  stream,
});

/** Another message took the checkpoint's position: the stream was rolled back and has grown beyond the consumer since. */
const isCheckpointReplaced = async (
  runtime: StoreRuntime,
  search: Search,
  { id, seq }: Checkpoint,
): Promise<boolean> => {
  const { bus } = runtime;
  const selection = { from: seq, upTo: seq, limit: 1, headersOnly: true };
  const [message] = await readStream(bus, { ...toReader(runtime, search), ...selection });
  if (messageIdOf(message?.headers)?.toLowerCase() === id) return false;
  return seq >= (await readFirstSeq(bus, search.stream.name));
};

/**
 * Whether the stream has lost messages that this consumer received, or that the broker takes for delivered: it would never
 * deliver the messages that take their positions.
 */
const isStreamBehind = async (
  runtime: StoreRuntime,
  { event, stream, signal }: Search,
  { seq, checkpoint }: Position,
  consumer: Pick<ConsumerInfo, 'delivered' | 'ack_floor'>,
): Promise<boolean> => {
  const deliveredSeq = Math.max(consumer.delivered.stream_seq, consumer.ack_floor.stream_seq, seq);
  // Asked once more, because the stream may have grown since.
  const now = deliveredSeq > stream.lastSeq ? await readStreamState(runtime.bus, event.owner, signal) : stream;
  if (deliveredSeq > now.lastSeq) return true;
  return checkpoint !== null && isCheckpointReplaced(runtime, { event, stream: now, signal }, checkpoint);
};

/** Starts over with all messages of the stream, for the listener and the search; the inbox ignores handled ones. */
const startOver = async (runtime: StoreRuntime, { event, stream }: Search, from: Position): Promise<void> => {
  const { bus, pool, log } = runtime;
  const to = { created: stream.created, seq: 0, checkpoint: null };
  await movePosition(pool, event.subject, { from, to });
  await resetConsumer(bus, toConsumer(runtime, event));
  log.warn('the broker lost messages that were taken: all that it keeps is taken again', {
    event: event.wireName,
  });
};

const searchEvent = async (runtime: StoreRuntime, search: Search): Promise<number> => {
  const { pool, log, metrics } = runtime;
  const { event, stream, signal } = search;
  const { subject: consumer, wireName: name } = event;
  // Read after the stream's last position, so that later messages do not count as acknowledged.
  const { num_pending, num_ack_pending, ...info } = await consumerInfo(runtime, event);
  const start = await readPosition(pool, consumer, stream);
  if (await isStreamBehind(runtime, search, start, info)) {
    await startOver(runtime, search, start);
    return 0;
  }
  const isDrained = num_pending === 0 && num_ack_pending === 0;
  const upTo = isDrained ? stream.lastSeq : Math.min(info.ack_floor.stream_seq, stream.lastSeq);
  const comparison = { ...toReader(runtime, search), consumer, start, upTo, limit: PAGE_SIZE, signal };
  let lostCount = 0;
  for await (const { messages, position, move } of compareStream(runtime, comparison)) {
    if (position.seq < upTo) await reportGap(runtime, search, position);
    lostCount += await move((client) => replayLost(client, consumer, messages));
    crashPoint('position-moved', name);
  }
  if (lostCount > 0) {
    metrics.lostEvents.inc({ name }, lostCount);
    const events = { event: name, events: lostCount };
    log.warn('this database has lost events that were handled before: they are handled again', events);
  }
  return lostCount;
};

/**
 * Compares the received events with the stream, both ways. An event that the broker saw acknowledged and this database lacks (it
 * may be a restored copy, or a standby that was behind) is handled again, as tasks: the broker would never deliver it once
 * more. An event that this database has and the stream lacks (the broker may be a restored copy) makes its consumer start
 * over. Resolves to the number of tasks.
 */
export const findLostEvents = async (runtime: StoreRuntime, signal: AbortSignal): Promise<number> => {
  let lostCount = 0;
  for (const event of runtime.surface.subscriptions) {
    const stream = await readStreamState(runtime.bus, event.owner, signal);
    lostCount += await searchEvent(runtime, { event, stream, signal });
  }
  return lostCount;
};
