import type { AnsweredTranscript } from '@tds/contracts';
import type { Outcome } from '../domain/operation.ts';

/** How this process ended an operation: spares its callers the looks into the tables. */
export type News = {
  readonly operation: Outcome;
  /** Its file, where this process rendered it; with its text where that is small. */
  readonly delivered: AnsweredTranscript | null;
  /** Whether the delivery has been told to the request that opened the operation. */
  readonly isToldToOpener: boolean;
};

type Finish = (news: News | null) => void;

/** Callers of this process that wait for operations to end. A lost wake-up only costs them the next look. */
export class Waiters {
  readonly #waiting = new Map<string, Set<Finish>>();
  /** Until when the requests that opened operations wait here, as `performance.now` has it. */
  readonly #openers = new Map<string, number>();

  /** Resolves at the next wake-up for `id`, after `ms`, or when `signal` fires; cancel it when no longer needed. */
  wait(id: string, ms: number, signal: AbortSignal): { readonly done: Promise<News | null>; cancel(): void } {
    const { promise, resolve } = Promise.withResolvers<News | null>();
    const finish = (news: News | null) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      this.#remove(id, finish);
      resolve(news);
    };
    const cancel = () => finish(null);
    const timer = setTimeout(cancel, ms);
    signal.addEventListener('abort', cancel, { once: true });
    const finishers = this.#waiting.get(id) ?? new Set();
    finishers.add(finish);
    this.#waiting.set(id, finishers);
    if (signal.aborted) cancel();
    return { done: promise, cancel };
  }

  /** With the news where this process has just ended the operation; without, its callers look for themselves. */
  wake(id: string, news: News | null = null): void {
    for (const finish of [...(this.#waiting.get(id) ?? [])]) finish(news);
  }

  /** The request that opened `id` waits for its end until `deadline`; to be called back when it does no longer. */
  openerWaits(id: string, deadline: number): () => void {
    this.#openers.set(id, deadline);
    return () => this.#openers.delete(id);
  }

  /** Whether the request that opened `id` will still be waiting here in `ms`. */
  willOpenerWait(id: string, ms: number): boolean {
    return (this.#openers.get(id) ?? 0) - performance.now() > ms;
  }

  #remove(id: string, finish: Finish): void {
    const finishers = this.#waiting.get(id);
    finishers?.delete(finish);
    if (finishers?.size === 0) this.#waiting.delete(id);
  }
}
