import { createBackoff } from '../async/backoff.ts';
import { createWakeSignal } from '../async/wake-signal.ts';
import { eventStream, prepareStream } from '../broker/streams.ts';
import { failureFields } from '../errors/failure-fields.ts';
import { crashPoint } from '../runtime/crash-points.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { BATCH_SIZE, hasUnpublished, relayBatch } from './relay-batch.ts';
import { createStreamRoom, hasNoRoom, type StreamRoom } from './stream-room.ts';

/** Moves saved events to the stream. */
export type Relay = {
  /** To be called when there are saved events. */
  wake(): void;
  /** Publishes what is there, then ends. */
  stop(): Promise<void>;
};

/** While there is no room, one event at a time asks whether there is again. */
const PROBE = 1;

/** One pass; true when there may be more at once. Throws when the database or the broker did not do its part. */
const pass = async (runtime: StoreRuntime, room: StreamRoom): Promise<boolean> => {
  const { pool, bus, service, metrics, log } = runtime;
  const most = room.isFull() ? PROBE : BATCH_SIZE;
  const { claimed, publishedAgesSeconds, failure } = await relayBatch(pool, bus.jetstream, most);
  if (claimed > 0) crashPoint('relay-marked');
  for (const age of publishedAgesSeconds) metrics.publishLag.observe(age);
  if (failure === undefined) {
    if (claimed > 0) room.took();
    return claimed === most;
  }
  metrics.publishErrors.inc(claimed - publishedAgesSeconds.length);
  if (hasNoRoom(failure)) {
    room.refused(failure);
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

/** Publishes for ever: what is there at the start, and what is when it is woken; with growing pauses while the broker is away. */
export const startRelay = (runtime: StoreRuntime): Relay => {
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
        const more = (await hasUnpublished(runtime.pool)) && (await pass(runtime, room));
        backoff.reset();
        if (!more) await wakeSignal.wait();
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn('events could not be published yet', failureFields(error));
        await backoff.pause(stopping.signal);
      }
    }
  };

  const stopListening = bus.onReconnect(wakeSignal.wake);
  const running = run();
  return {
    wake: wakeSignal.wake,
    stop: async () => {
      stopListening();
      stopping.abort();
      wakeSignal.wake();
      await running;
      // What is left, other instances or the next start publish.
      if (bus.isConnected())
        await pass(runtime, room).catch((error) => log.warn('last events stay saved', failureFields(error)));
    },
  };
};
