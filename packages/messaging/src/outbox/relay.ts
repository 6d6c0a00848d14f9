import type { JetStreamClient } from '@nats-io/jetstream';
import { createWakeSignal, failureFields } from '@tds/base';
import { createBackoff, inTransaction, named } from '@tds/base/internals';
import type { Pool, PoolClient } from 'pg';
import { eventStream, prepareStream } from '../broker/streams.ts';
import { crashPoint } from '../runtime/crash-points.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { markPublished, type OutboxMessage, type PublishedRow, publishRow } from './publish.ts';
import { createStreamRoom, hasNoRoom, type StreamRoom } from './stream-room.ts';

const BATCH_SIZE = 200;

type OutboxRow = OutboxMessage & { readonly age_seconds: number };

type BatchResult = {
  readonly claimedCount: number;
  readonly publishedAgesSeconds: readonly number[];
  /** Why some were not published; that there is no room comes first. */
  readonly failure?: unknown;
};

/** A query: when the first event is due; now, if there is one. */
export const FIRST_UNPUBLISHED = 'SELECT now() FROM messaging.outbox WHERE published_at IS NULL LIMIT 1';

const CLAIM = `
  SELECT id, subject, payload::text AS payload, headers,
    extract(epoch FROM clock_timestamp() - coalesce(waiting_since, created_at))::float8 AS age_seconds
  FROM messaging.outbox
  WHERE published_at IS NULL
  ORDER BY failures, seq LIMIT $1 FOR UPDATE SKIP LOCKED`;
const POSTPONE = 'UPDATE messaging.outbox SET failures = failures + 1 WHERE id = ANY ($1::uuid[])';

type Result = { readonly row: OutboxRow; readonly outcome: PromiseSettledResult<PublishedRow> };

const failureOf = ({ outcome }: Result): unknown =>
  outcome.status === 'rejected' ? outcome.reason : undefined;

/** Marks the results. An event that found no room keeps its place. */
const save = async (client: PoolClient, results: readonly Result[]): Promise<void> => {
  await markPublished(
    client,
    results.flatMap(({ outcome }) => (outcome.status === 'fulfilled' ? [outcome.value] : [])),
  );
  const failedResults = results.filter((result) => {
    const failure = failureOf(result);
    return failure !== undefined && !hasNoRoom(failure);
  });
  if (failedResults.length > 0) await client.query(POSTPONE, [failedResults.map(({ row }) => row.id)]);
};

/**
 * Publishes the oldest events that no other relay holds, up to `limit`, and marks those that the stream has acknowledged. A
 * death before the marking publishes them once more under the same id, which stream and inbox recognise.
 */
const relayBatch = (pool: Pool, jetstream: JetStreamClient, limit: number): Promise<BatchResult> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<OutboxRow>(named(CLAIM, [limit]));
    if (rows.length === 0) return { claimedCount: 0, publishedAgesSeconds: [] };
    crashPoint('relay-claimed');
    const outcomes = await Promise.allSettled(rows.map((row) => publishRow(jetstream, row)));
    crashPoint('relay-published');
    const results = rows.map((row, n) => ({ row, outcome: outcomes[n] as Result['outcome'] }));
    await save(client, results);
    const failures = results.map(failureOf).filter((failure) => failure !== undefined);
    return {
      claimedCount: rows.length,
      publishedAgesSeconds: results.flatMap(({ row, outcome }) =>
        outcome.status === 'fulfilled' ? [row.age_seconds] : [],
      ),
      failure: failures.find(hasNoRoom) ?? failures[0],
    };
  });

/** While there is no room, one event at a time asks whether there is again. */
const PROBE = 1;

/** One pass; true when there may be more at once. Throws when the database or the broker did not do its part. */
const relayOnce = async (runtime: StoreRuntime, room: StreamRoom): Promise<boolean> => {
  const { pool, bus, service, metrics, log } = runtime;
  const limit = room.isFull() ? PROBE : BATCH_SIZE;
  const { claimedCount, publishedAgesSeconds, failure } = await relayBatch(pool, bus.jetstream, limit);
  if (claimedCount > 0) crashPoint('relay-marked');
  for (const age of publishedAgesSeconds) metrics.publishLag.observe(age);
  if (failure === undefined) {
    if (claimedCount > 0) room.reportRoom();
    return claimedCount === limit;
  }
  metrics.publishErrors.inc(claimedCount - publishedAgesSeconds.length);
  if (hasNoRoom(failure)) {
    room.reportFull(failure);
    return false;
  }
  // The broker works and does not want some of them: they are tried again after the others, without holding them up.
  if (publishedAgesSeconds.length > 0) {
    log.error('the broker does not take some events', { error: failure });
    return false;
  }
  // The usual reason beside an absent broker: it came back without its store.
  if (bus.isConnected()) await prepareStream(bus, eventStream(service, bus.streamLimits));
  throw failure;
};

/** Moves saved events to the stream: publishes waiting events at the start and at every wake-up, with growing pauses while the broker is unreachable. */
export const startRelay = (runtime: StoreRuntime) => {
  const { bus, log } = runtime;
  const stopping = new AbortController();
  const wakeSignal = createWakeSignal();
  const backoff = createBackoff({ firstMs: 50, maxMs: 2_000 });
  const room = createStreamRoom(runtime);
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        // No database connection is spent while nothing could be published.
        await bus.whenConnected(stopping.signal);
        const more = await relayOnce(runtime, room);
        backoff.reset();
        if (!more) await wakeSignal.wait();
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn('events could not be published yet', failureFields(error));
        await backoff.pause(stopping.signal);
      }
    }
  };

  const stopListening = bus.onConnect(wakeSignal.wake);
  const running = run();
  return {
    /** To be called when there are saved events. */
    wake: wakeSignal.wake,
    firstDue: FIRST_UNPUBLISHED,
    /** By a poll. */
    onPoll: (isDue: boolean): void => {
      if (isDue) wakeSignal.wake();
    },
    /** Publishes the present events, then ends. */
    stop: async (): Promise<void> => {
      stopListening();
      stopping.abort();
      wakeSignal.wake();
      await running;
      // Other instances or the next start publish the rest.
      if (bus.isConnected())
        await relayOnce(runtime, room).catch((error) =>
          log.warn('last events stay saved', failureFields(error)),
        );
    },
  };
};
