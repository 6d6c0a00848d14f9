import type { ConsumerInfo } from '@nats-io/jetstream';
import { inTransaction } from '@tds/base/internals';
import type { Event } from '@tds/contracts';
import { messageIdOf } from '../broker/message-headers.ts';
import { readStream } from '../broker/read-stream.ts';
import {
  CONSUMER_NOT_FOUND,
  consumerNameOf,
  ensureConsumer,
  failedWith,
  lostEventsReader,
  resetConsumer,
} from '../broker/streams.ts';
import { crashPoint } from '../runtime/crash-points.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { type Checkpoint, movePosition, type Position, readPosition } from './position.ts';
import { handleAgain } from './replays.ts';
import { consumerOf, firstKept, type StreamNow, streamNow } from './stream.ts';

const PAGE_SIZE = 100;

type Search = {
  readonly event: Event;
  readonly stream: StreamNow;
  readonly signal: AbortSignal;
};

const consumerInfo = async (runtime: StoreRuntime, event: Event): Promise<ConsumerInfo> => {
  const definition = consumerOf(runtime, event);
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
  { seq, saved }: Position,
): Promise<void> => {
  const firstSeq = await firstKept(bus, stream.name);
  if (saved === undefined || seq + 1 >= firstSeq) return;
  metrics.eventGaps.inc({ name: event.wireName });
  log.error(
    'this database may lack events that the stream keeps no more: their owner has to publish them again',
    { event: event.wireName, afterSeq: seq, beforeSeq: firstSeq },
  );
};

/** Checks the messages up to `end`, which were acknowledged; resolves to the number of lost ones. */
const searchUpTo = async (
  runtime: StoreRuntime,
  search: Search,
  start: Position,
  end: number,
): Promise<number> => {
  const { pool, bus, service } = runtime;
  const { event, stream, signal } = search;
  const { subject } = event;
  const reader = lostEventsReader(consumerNameOf(service, event));
  const part = { stream: stream.name, leader: stream.leader, reader, subject, upTo: end, most: PAGE_SIZE };
  let position = start;
  let lost = 0;
  let isDone = position.saved?.streamCreated === stream.created && position.seq >= end;
  while (!isDone && !signal.aborted) {
    const hasMore = position.seq < end;
    const page = hasMore ? await readStream(bus, { ...part, from: position.seq + 1 }) : [];
    if (hasMore) await reportGap(runtime, search, position);
    isDone = page.length < PAGE_SIZE;
    const last = page.at(-1);
    const id = messageIdOf(last?.headers);
    const checkpoint: Checkpoint | undefined =
      last && id ? { id: id.toLowerCase(), seq: last.seq } : position.checkpoint;
    const seq = isDone ? Math.max(position.seq, end) : (last?.seq ?? end);
    const from = position;
    position = await inTransaction(pool, async (client) => {
      lost += await handleAgain(client, subject, page);
      return movePosition(client, subject, { from, to: { created: stream.created, seq, checkpoint } });
    });
    crashPoint('position-moved');
  }
  return lost;
};

/** Another message took the checkpoint's position: the stream was rolled back and has grown beyond the consumer since. */
const isCheckpointReplaced = async (
  { bus, service }: StoreRuntime,
  { event, stream }: Search,
  checkpoint: Checkpoint,
): Promise<boolean> => {
  const reader = lostEventsReader(consumerNameOf(service, event));
  const { name, leader } = stream;
  const only = { from: checkpoint.seq, upTo: checkpoint.seq, most: 1, headersOnly: true };
  const [message] = await readStream(bus, { stream: name, leader, reader, subject: event.subject, ...only });
  if (messageIdOf(message?.headers)?.toLowerCase() === checkpoint.id) return false;
  return checkpoint.seq >= (await firstKept(bus, stream.name));
};

/**
 * Whether the stream has lost messages that this consumer received, or that the broker takes for delivered: it would never
 * deliver the messages that take their positions.
 */
const isStreamBehind = async (
  runtime: StoreRuntime,
  { event, stream, signal }: Search,
  { seq, checkpoint }: Position,
  consumer: ConsumerInfo,
): Promise<boolean> => {
  const delivered = Math.max(consumer.delivered.stream_seq, consumer.ack_floor.stream_seq, seq);
  // Asked once more, because the stream may have grown since.
  const now = delivered > stream.lastSeq ? await streamNow(runtime.bus, event.owner, signal) : stream;
  if (delivered > now.lastSeq) return true;
  return (
    checkpoint !== undefined && isCheckpointReplaced(runtime, { event, stream: now, signal }, checkpoint)
  );
};

/** Starts over with all messages of the stream, for the listener and the search; the inbox ignores handled ones. */
const startOver = async (runtime: StoreRuntime, { event, stream }: Search, from: Position): Promise<void> => {
  const { bus, pool, log } = runtime;
  const to = { created: stream.created, seq: 0, checkpoint: undefined };
  await movePosition(pool, event.subject, { from, to });
  await resetConsumer(bus, consumerOf(runtime, event));
  log.warn('the broker lost messages that were taken: all that it keeps is taken again', {
    event: event.wireName,
  });
};

const findLostOf = async (runtime: StoreRuntime, search: Search): Promise<number> => {
  const { pool, log, metrics } = runtime;
  const { event, stream } = search;
  // Read after the stream's last position, so that later messages do not count as acknowledged.
  const consumer = await consumerInfo(runtime, event);
  const start = await readPosition(pool, event.subject, stream);
  if (await isStreamBehind(runtime, search, start, consumer)) {
    await startOver(runtime, search, start);
    return 0;
  }
  const hasAll = consumer.num_pending === 0 && consumer.num_ack_pending === 0;
  const end = hasAll ? stream.lastSeq : Math.min(consumer.ack_floor.stream_seq, stream.lastSeq);
  const lost = await searchUpTo(runtime, search, start, end);
  if (lost === 0) return 0;
  metrics.lostEvents.inc({ name: event.wireName }, lost);
  log.warn('this database has lost events that were handled before: they are handled again', {
    event: event.wireName,
    events: lost,
  });
  return lost;
};

/**
 * Compares the received events with the stream, both ways. An event that the broker saw acknowledged and this database lacks (it
 * may be a restored copy, or a standby that was behind) is handled again, as tasks: the broker would never deliver it once
 * more. An event that this database has and the stream lacks (the broker may be a restored copy) makes its consumer start
 * over. Resolves to the number of tasks.
 */
export const findLostEvents = async (runtime: StoreRuntime, signal: AbortSignal): Promise<number> => {
  let lost = 0;
  for (const event of runtime.surface.subscriptions) {
    const stream = await streamNow(runtime.bus, event.owner, signal);
    lost += await findLostOf(runtime, { event, stream, signal });
  }
  return lost;
};
