type Finish<Outcome> = (outcome: Outcome | null) => void;

/**
 * Callers of this process that wait for something with an id to happen. A wake-up may be lost if another process makes it
 * happen, so the waiter looks again after `ms`.
 */
export class Waiters<Outcome = null> {
  readonly #waiting = new Map<string, Set<Finish<Outcome>>>();

  /** Resolves at the next wake-up for `id`, after `ms`, or when `signal` fires; cancel it when no longer needed. */
  wait(
    id: string,
    ms: number,
    signal: AbortSignal,
  ): { readonly done: Promise<Outcome | null>; cancel(): void } {
    const { promise, resolve } = Promise.withResolvers<Outcome | null>();
    const finish: Finish<Outcome> = (outcome) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      leave();
      resolve(outcome);
    };
    const cancel = () => finish(null);
    const timer = setTimeout(cancel, ms);
    signal.addEventListener('abort', cancel, { once: true });
    const leave = this.listen(id, finish);
    if (signal.aborted) cancel();
    return { done: promise, cancel };
  }

  /** Calls `onWake` at every wake-up for `id`; call the result when that is no longer needed. */
  listen(id: string, onWake: Finish<Outcome>): () => void {
    const finishers = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, finishers.add(onWake));
    return () => {
      finishers.delete(onWake);
      if (finishers.size === 0 && this.#waiting.get(id) === finishers) this.#waiting.delete(id);
    };
  }

  /** With the outcome if it is known here; otherwise waiters check for themselves. */
  wake(id: string, outcome: Outcome | null = null): void {
    for (const finish of [...(this.#waiting.get(id) ?? [])]) finish(outcome);
  }
}

/** Waits until it is woken. */
type WakeSignal = { wake(): void; wait(): Promise<void> };

export const createWakeSignal = (): WakeSignal => {
  let next = Promise.withResolvers<void>();
  return {
    wake: () => next.resolve(),
    wait: async () => {
      await next.promise;
      next = Promise.withResolvers();
    },
  };
};
