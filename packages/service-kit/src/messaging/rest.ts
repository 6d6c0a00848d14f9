import { randomUUID } from 'node:crypto';
import { pauseFor } from '../async/backoff.ts';
import { workSubject } from '../broker/streams.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';

/** At rest nobody uses the database, and when what is known of is due is known: what is written past all services waits so long. */
const REST_MS = 4_500;
/** The other instances hear again and again that this one works. */
const TELL_MS = 500;
/** An instance that worked a moment ago may have died with what it has just saved, and some messages may be lost. */
const HEED_MS = 1_000;

/** Between looks: over as soon as there may be rows that nobody here knows of. */
type Rest = {
  /** What stirs from now on is not known to the look that begins. */
  begin(): void;
  /** For so long at most. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  stop(): void;
};

/** Rows are saved by this process through its own pool, and by the other instances, which tell so before they do. */
export const createRest = (runtime: StoreRuntime): Rest => {
  const { bus, service, pool, servicePool, log } = runtime;
  const subject = workSubject(service);
  const id = randomUUID();
  let isStirred = true;
  let heedUntil = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  let end: (() => void) | undefined;
  const stir = (): void => {
    isStirred = true;
    end?.();
  };
  const tell = (): void => {
    const now = performance.now();
    if (now - toldAt < TELL_MS || !bus.isConnected()) return;
    toldAt = now;
    bus.connection.publish(subject, id);
  };
  servicePool.on('acquire', tell);
  servicePool.on('release', stir);
  pool.on('error', stir);
  const stopListening = bus.onReconnect(stir);
  const subscription = bus.connection.subscribe(subject, {
    callback: (failed, message) => {
      if (failed) return log.error('other instances cannot be heard', { error: failed });
      if (message.string() === id) return;
      heedUntil = performance.now() + HEED_MS;
      stir();
    },
  });
  return {
    begin: () => {
      isStirred = performance.now() < heedUntil;
    },
    pause: async (ms, signal) => {
      if (isStirred || ms <= 0) return;
      const stirred = new AbortController();
      end = () => stirred.abort();
      await pauseFor(Math.min(ms, REST_MS), AbortSignal.any([signal, stirred.signal]));
      end = undefined;
    },
    stop: () => {
      servicePool.off('acquire', tell);
      servicePool.off('release', stir);
      pool.off('error', stir);
      stopListening();
      subscription.unsubscribe();
    },
  };
};
