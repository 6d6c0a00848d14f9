import { createBackoff } from '../bus/backoff.ts';
import { ensureStream, eventStream } from '../bus/streams.ts';
import { crashPoint } from '../run/crash-points.ts';
import type { StoreRuntime } from '../run/runtime.ts';
import { createAlarm } from './alarm.ts';
import { BATCH_SIZE, relayBatch } from './relay-batch.ts';

/** Moves saved events to the stream. */
export type Relay = {
  /** To be called after a commit that saved events. */
  wake(): void;
  /** Publishes what is there, then ends. */
  stop(): Promise<void>;
};

/** Other processes' events, and those whose wake was lost, wait at most this long. */
const POLL_MS = 500;

/** One pass; true when there may be more at once. Throws when the database or the broker did not do its part. */
const pass = async ({ pool, bus, metrics }: StoreRuntime): Promise<boolean> => {
  const result = await relayBatch(pool, bus.jetstream);
  if (result.claimed > 0) crashPoint('relay-marked');
  for (const age of result.publishedAgesSeconds) metrics.publishLag.observe(age);
  if (result.failure === undefined) return result.claimed === BATCH_SIZE;
  metrics.publishErrors.inc(result.claimed - result.publishedAgesSeconds.length);
  // The usual reason beside an absent broker: it came back without its store.
  if (bus.isConnected()) await ensureStream(await bus.jetstream.jetstreamManager(false), eventStream);
  throw result.failure;
};

/** Publishes for ever: at once when woken, by polling otherwise, with growing pauses while the broker is away. */
export const startRelay = (runtime: StoreRuntime): Relay => {
  const { bus, log } = runtime;
  const stopping = new AbortController();
  const alarm = createAlarm();
  const backoff = createBackoff({ firstMs: 50, maxMs: 2_000 });

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        // No database connection is spent while nothing could be published.
        await bus.whenConnected(stopping.signal);
        const more = await pass(runtime);
        backoff.reset();
        if (!more) await alarm.wait(POLL_MS * (0.75 + Math.random() / 2));
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn('events could not be published yet', { error });
        await backoff.pause(stopping.signal);
      }
    }
  };

  const running = run();
  return {
    wake: alarm.ring,
    stop: async () => {
      stopping.abort();
      alarm.ring();
      await running;
      // What is left, other instances or the next start publish.
      if (bus.isConnected())
        await pass(runtime).catch((error) => log.warn('last events stay saved', { error }));
    },
  };
};
