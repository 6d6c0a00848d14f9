/** Callers of this process that wait for operations to end. A lost wake-up only costs them the next look. */
export class Waiters {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Resolves at the next wake-up for `id`, after `ms`, or when `signal` fires; cancel it when no longer needed. */
  wait(id: string, ms: number, signal: AbortSignal): { readonly done: Promise<void>; cancel(): void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      this.#remove(id, finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish, { once: true });
    this.#waiting.set(id, (this.#waiting.get(id) ?? new Set()).add(finish));
    if (signal.aborted) finish();
    return { done: promise, cancel: finish };
  }

  wake(id: string): void {
    for (const finish of [...(this.#waiting.get(id) ?? [])]) finish();
  }

  #remove(id: string, finish: () => void): void {
    const group = this.#waiting.get(id);
    group?.delete(finish);
    if (group?.size === 0) this.#waiting.delete(id);
  }
}
