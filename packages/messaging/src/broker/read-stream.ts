import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AckPolicy, DeliverPolicy, type JetStreamManager, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import type { Bus } from './bus.ts';
import { deleteConsumer } from './streams.ts';

/** Part of a stream, by position. */
export type StreamPart = {
  /** With the server that leads it: others may lag behind for long. */
  readonly stream: { readonly name: string; readonly leader: string | undefined };
  /** The name of the consumer that reads it: the only one that may. Two who read by it at once end each other's reading, and try again. */
  readonly reader: string;
  readonly subject: string;
  /** Whether only the headers are wanted. */
  readonly headersOnly?: boolean;
  readonly from: number;
  readonly upTo: number;
  readonly limit: number;
  /** The stream has at least as many: a cluster that has just started may count fewer for a new consumer. */
  readonly min?: number;
};

const READ_WITHIN_MS = 2_000;
/** After this time the broker drops the reader of a process that died. */
const FORGOTTEN_AFTER_MS = 5_000;
const TRIES = 6;
/** Of five servers, one in a thousand readers is not placed on the leader by then. */
const PLACEMENTS = 32;
const PAUSE_MS = 100;

/** A cluster places a reader on any server that has the stream. */
const openReader = async (bus: Bus, manager: JetStreamManager, part: StreamPart) => {
  const { stream, reader, subject, headersOnly = false, from } = part;
  for (let remaining = PLACEMENTS; remaining > 0; remaining -= 1) {
    const info = await manager.consumers.add(stream.name, {
      name: reader,
      filter_subject: subject,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: from,
      ack_policy: AckPolicy.None,
      headers_only: headersOnly,
      mem_storage: true,
      inactive_threshold: nanos(FORGOTTEN_AFTER_MS),
    });
    // The broker gives who asks for the same the same: what another instance has taken by it is pending no more.
    if (info.delivered.consumer_seq > 0) throw new Error(`${reader} is used by another instance, too`);
    const consumer = bus.jetstream.consumers.getConsumerFromInfo(info);
    // A server that is alone reports no leader of a consumer; since 2.10 it reports one of the stream.
    if (!info.cluster || info.cluster.leader === stream.leader) return { consumer, pending: info.num_pending };
    await deleteConsumer(manager, stream.name, reader);
  }
  throw new Error(`${reader} was not placed on ${stream.leader}, which leads ${stream.name}`);
};

const readOnce = async (bus: Bus, part: StreamPart): Promise<JsMsg[]> => {
  const manager = await bus.jetstream.jetstreamManager(false);
  try {
    const { consumer, pending } = await openReader(bus, manager, part);
    const count = Math.min(part.limit, pending);
    if (count < Math.min(part.limit, part.min ?? 0))
      throw new Error(`${part.reader} was given ${pending} messages of ${part.min}`);
    if (count === 0) return [];
    const messages: JsMsg[] = [];
    const batch = await consumer.fetch({ max_messages: count, expires: READ_WITHIN_MS });
    for await (const message of batch) messages.push(message);
    // Two who read by one name share what there is: neither may take its half for the whole.
    if (messages.length < count) throw new Error(`${part.reader} was used by another instance, too`);
    return messages.filter(({ seq }) => seq <= part.upTo);
  } finally {
    // Also after a reader was not opened in time: it may be on a server that has died, and would keep its name.
    await deleteConsumer(manager, part.stream.name, part.reader);
  }
};

/**
 * The messages of a subject between two positions, oldest first. By a consumer that has one subject and not by STREAM.MSG.GET,
 * which gives its user everything in a stream.
 */
export const readStream = async (bus: Bus, part: StreamPart): Promise<JsMsg[]> => {
  for (let remaining = TRIES; ; remaining -= 1) {
    try {
      return await readOnce(bus, part);
    } catch (error) {
      if (remaining === 1 || !bus.isConnected()) throw error;
      await delay(randomInt(PAUSE_MS));
    }
  }
};
