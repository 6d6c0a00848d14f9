import type { JetStreamClient } from '@nats-io/jetstream';
import { failureFields } from '@tds/base';
import type { Pool, PoolClient } from 'pg';
import { eventHeaders } from '../broker/message-headers.ts';
import { crashPoint } from '../runtime/crash-points.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';

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
export type Published = { readonly id: string; readonly seq: number };

/** Under the row's id: the stream takes a second publish for the first within two minutes, listeners for longer. */
export const publishRow = async (jetstream: JetStreamClient, row: OutboxMessage): Promise<Published> => {
  const { seq } = await jetstream.publish(row.subject, row.payload, {
    msgID: row.id,
    headers: eventHeaders(row.id, row.headers),
    timeout: PUBLISH_TIMEOUT_MS,
    retries: 1,
  });
  return { id: row.id, seq };
};

const MARK = {
  name: 'outbox-mark',
  text: `
    UPDATE messaging.outbox SET published_at = clock_timestamp(), stream_seq = published.seq
    FROM unnest($1::uuid[], $2::bigint[]) AS published (id, seq) WHERE outbox.id = published.id`,
};

/** Marks acknowledged events as published. */
export const markPublished = async (
  client: Pool | PoolClient,
  published: readonly Published[],
): Promise<void> => {
  if (published.length === 0) return;
  await client.query({ ...MARK, values: [published.map(({ id }) => id), published.map(({ seq }) => seq)] });
};

/** Short: if it ends before the event is marked, the relay publishes the event once more, under the same id. */
const LEASE_MS = 1_000;
const MARK_AFTER_MS = 20;
const MARK_AT_ONCE = 200;
/** More are left to the relay, which takes them as fast as the broker does. */
const MAX_IN_FLIGHT = 500;

/**
 * Publishes events in the process that has just committed them, from memory: nothing is claimed, and marks are made for
 * many at once. The relay takes the events that were not published in time.
 */
type ImmediatePublisher = {
  /** For how long events that are about to be saved are leased to this process; null if the relay is to take them. */
  eventLeaseMs(): number | null;
  /** After the commit; never fails. */
  publish(events: readonly OutboxMessage[]): void;
  /** Takes nothing more; ends when all that was published is marked. */
  stop(): Promise<void>;
};

/** Marks acknowledged events as published, in batches. */
const createMarks = ({ pool, log }: StoreRuntime) => {
  let published: Published[] = [];
  let timer: NodeJS.Timeout | undefined;
  let marking = Promise.resolve();
  const save = async (marked: readonly Published[]): Promise<void> => {
    if (marked.length === 0) return;
    try {
      await markPublished(pool, marked);
      crashPoint('relay-marked');
    } catch (error) {
      log.warn('published events could not be marked; they are published again', failureFields(error));
    }
  };
  /** One batch after the other, so that waiting for the last is waiting for all. */
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const marked = published;
    published = [];
    marking = marking.then(() => save(marked));
    return marking;
  };
  return {
    add: (done: Published): void => void published.push(done),
    flushSoon: (): void => {
      if (published.length >= MARK_AT_ONCE) void flush();
      else timer ??= setTimeout(() => void flush(), MARK_AFTER_MS);
    },
    flush,
    /** Drops marks that were not flushed. */
    forget: (): void => {
      published = [];
    },
  };
};

export const createImmediatePublisher = (runtime: StoreRuntime): ImmediatePublisher => {
  const { bus, metrics } = runtime;
  const inFlight = new Set<Promise<void>>();
  const marks = createMarks(runtime);
  /** Counts the stores that the stream may have had; acknowledgements of an earlier one are worth nothing. */
  let epoch = 0;
  let isStopping = false;
  // Published events that are not marked yet may lie in a lost store. The audit covers those that are being marked.
  const stopListening = bus.onConnect(() => {
    epoch += 1;
    marks.forget();
  });

  const publishOne = async (event: OutboxMessage, committedAt: number): Promise<void> => {
    const before = epoch;
    try {
      const done = await publishRow(bus.jetstream, event);
      metrics.publishLag.observe((performance.now() - committedAt) / 1_000);
      crashPoint('relay-published');
      if (before === epoch) marks.add(done);
      marks.flushSoon();
    } catch {
      // When the event's lease has run out the relay takes it, and logs why it cannot be published.
      metrics.publishErrors.inc();
    }
  };
  return {
    eventLeaseMs: () =>
      isStopping || !bus.isConnected() || inFlight.size >= MAX_IN_FLIGHT ? null : LEASE_MS,
    publish: (events) => {
      if (events.length > 0) crashPoint('relay-claimed');
      const committedAt = performance.now();
      for (const event of events) {
        const publishing = publishOne(event, committedAt).finally(() => inFlight.delete(publishing));
        inFlight.add(publishing);
      }
    },
    stop: async () => {
      isStopping = true;
      stopListening();
      await Promise.all(inFlight);
      await marks.flush();
    },
  };
};
