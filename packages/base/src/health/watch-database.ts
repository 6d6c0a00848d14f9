import type { ClientBase } from 'pg';
import { createBackoff } from '../async/backoff.ts';
import { databaseEpoch } from '../db/pool.ts';
import { failureFields } from '../errors/errors.ts';
import type { Log } from '../log/log.ts';

type Listener = () => void | Promise<void>;

/** Notices that another database has taken the place of the one that a process worked on. */
export type DatabaseWatch = {
  /**
   * Runs whenever that has happened; its synchronous part runs before the new database is used. Tried again until it has
   * succeeded. Returns the function that removes it.
   */
  onSwap(name: string, listener: Listener): () => void;
  /** Runs on each new connection before callers get it. */
  onConnect(client: ClientBase): Promise<void>;
  stop(): void;
};

const PAUSE = { firstMs: 500, maxMs: 30_000 };

export const createDatabaseWatch = (log: Log): DatabaseWatch => {
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
    onSwap: (name, listener) => {
      listeners.set(name, listener);
      return () => void listeners.delete(name);
    },
    onConnect: async (client) => {
      const epoch = await databaseEpoch(client);
      const before = lastEpoch;
      lastEpoch = epoch;
      if (before === undefined || before === epoch) return;
      log.warn('another database has taken the place of the one before', { before, epoch });
      for (const [name, listener] of listeners) void notify(name, listener);
    },
    stop: () => stopping.abort(),
  };
};
