import type { ClientBase } from 'pg';
import { createBackoff } from '../async/backoff.ts';
import { databaseEpoch } from '../db/pool.ts';
import { failureFields } from '../errors/errors.ts';
import type { Log } from '../log/log.ts';

type Listener = () => void | Promise<void>;

const PAUSE = { firstMs: 500, maxMs: 30_000 };

/** Notices that another database has taken the place of the one that a process worked on. */
export const createDatabaseWatch = (log: Log) => {
  const listeners = new Map<string, Listener>();
  const stopping = new AbortController();
  let lastEpoch: string | undefined;
  const notify = async (name: string, listener: Listener): Promise<void> => {
    const backoff = createBackoff(PAUSE);
    while (!stopping.signal.aborted) {
      try {
        return await listener();
      } catch (error) {
        log.warn('what a swapped database needs could not be done yet', { name, ...failureFields(error) });
        await backoff.pause(stopping.signal);
      }
    }
  };
  return {
    /**
     * Runs whenever that has happened; its synchronous part runs before the new database is used. Tried again until it has
     * succeeded. Returns the function that removes it.
     */
    onSwap: (name: string, listener: Listener): (() => void) => {
      listeners.set(name, listener);
      return () => void listeners.delete(name);
    },
    /** Runs on each new connection before callers get it. */
    onConnect: async (client: ClientBase): Promise<void> => {
      const epoch = await databaseEpoch(client);
      const before = lastEpoch;
      lastEpoch = epoch;
      if (before === undefined || before === epoch) return;
      log.warn('another database has taken the place of the one before', { before, epoch });
      for (const [name, listener] of listeners) void notify(name, listener);
    },
    stop: (): void => stopping.abort(),
  };
};
export type DatabaseWatch = ReturnType<typeof createDatabaseWatch>;
