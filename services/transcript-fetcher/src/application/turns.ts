/** Turns for work of which only so much may run at once; whoever wants more than one waits behind those who have had fewer. */
export type Turns = {
  /** Resolves when it is this one's turn, to what ends the turn. Rejects when `signal` fires first. */
  take(who: string, signal: AbortSignal): Promise<() => void>;
  /** Whether nobody has a turn or waits for one. */
  isIdle(): boolean;
};

type Waiting = { readonly begin: () => void };

/** All who wait are asked one after the other, each for one turn. */
export function createTurns(atOnce: number): Turns {
  let free = atOnce;
  /** In the order in which they are asked; who was asked goes to the end. */
  const queues = new Map<string, Set<Waiting>>();

  const next = (): void => {
    for (const [who, queue] of queues) {
      if (free === 0) return;
      const [first] = queue;
      queues.delete(who);
      if (!first) continue;
      queue.delete(first);
      if (queue.size > 0) queues.set(who, queue);
      free -= 1;
      first.begin();
    }
  };
  const end = (): void => {
    free += 1;
    next();
  };
  return {
    isIdle: () => free === atOnce,
    async take(who, signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const queue = queues.get(who) ?? new Set();
      queues.set(who, queue);
      const giveUp = () => {
        queue.delete(waiting);
        reject(signal.reason);
      };
      const waiting = {
        begin: () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      queue.add(waiting);
      signal.addEventListener('abort', giveUp, { once: true });
      next();
      await promise;
      return end;
    },
  };
}
