import { randomUUID } from 'node:crypto';
import { pauseFor } from '@tds/base/internals';
import { type StoreRuntime, workSubject } from '@tds/messaging/internals';

/** An idle service does not use the database, and knows all due times. Rows written past the services wait this long. */
const MAX_IDLE_MS = 5_000;
/** How often this instance announces that it works. */
const ANNOUNCE_MS = 500;
/** Poll soon after work: its instance may have died after the commit, and hints may be lost. */
const FAST_POLL_MS = 1_000;

/**
 * The pause between polls; it ends as soon as there may be new rows. Rows are saved by this process through its own pool, and by the
 * other instances, which announce it first. `begin` comes before a poll, which does not see later changes.
 */
export const createIdle = (runtime: StoreRuntime) => {
  const { bus, service, pool, servicePool, log } = runtime;
  const subject = workSubject(service);
  const id = randomUUID();
  let isAwake = true;
  let fastPollUntil = 0;
  let announcedAt = Number.NEGATIVE_INFINITY;
  let end: (() => void) | undefined;
  const wake = (): void => {
    isAwake = true;
    end?.();
  };
  const announce = (): void => {
    const now = performance.now();
    if (now - announcedAt < ANNOUNCE_MS || !bus.isConnected()) return;
    announcedAt = now;
    bus.connection.publish(subject, id);
  };
  servicePool.on('acquire', announce);
  servicePool.on('release', wake);
  pool.on('error', wake);
  const stopListening = bus.onConnect(wake);
  const subscription = bus.connection.subscribe(subject, {
    callback: (failed, message) => {
      if (failed) return log.error('other instances cannot be heard', { error: failed });
      if (message.string() === id) return;
      fastPollUntil = performance.now() + FAST_POLL_MS;
      wake();
    },
  });
  return {
    begin: (): void => {
      isAwake = performance.now() < fastPollUntil;
    },
    pause: async (ms: number, signal: AbortSignal): Promise<void> => {
      if (isAwake || ms <= 0) return;
      const awake = new AbortController();
      end = () => awake.abort();
      await pauseFor(Math.min(ms, MAX_IDLE_MS), AbortSignal.any([signal, awake.signal]));
      end = undefined;
    },
    stop: (): void => {
      servicePool.off('acquire', announce);
      servicePool.off('release', wake);
      pool.off('error', wake);
      stopListening();
      subscription.unsubscribe();
    },
  };
};
