import type { DeliveredTranscript } from '@tds/contracts';
import type { Operation } from '../domain/operation.ts';

/** A delivery of this process, as its answer tells it; `projected` when the gateway can read the body. */
export type Delivered = { readonly head: DeliveredTranscript; readonly projected: Promise<void> };

/** How an operation was ended by this process: spares its caller the looks into the tables. */
export type Ended = {
  readonly operation: Operation;
  /** What the account could spend right after; null where the ledger did not say. */
  readonly creditsLeft: number | null;
};
export type News = Ended & { readonly delivered: Delivered | null };

type Group = { readonly finishers: Set<(news: News | null) => void>; delivered: Delivered | null };

/** Callers of this process that wait for operations to end. A lost wake-up only costs them the next look. */
export class Waiters {
  readonly #waiting = new Map<string, Group>();

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
    const group = this.#waiting.get(id) ?? { finishers: new Set(), delivered: null };
    group.finishers.add(finish);
    this.#waiting.set(id, group);
    if (signal.aborted) cancel();
    return { done: promise, cancel };
  }

  /** Keeps what was delivered for those who wait until the operation is settled, too. */
  note(id: string, delivered: Delivered): void {
    const group = this.#waiting.get(id);
    if (group) group.delivered = delivered;
  }

  /** With the operation where this process has just ended it; without, its callers look for themselves. */
  wake(id: string, ended?: Ended): void {
    const group = this.#waiting.get(id);
    if (!group) return;
    const news = ended ? { ...ended, delivered: group.delivered } : null;
    for (const finish of [...group.finishers]) finish(news);
  }

  #remove(id: string, finish: (news: News | null) => void): void {
    const group = this.#waiting.get(id);
    group?.finishers.delete(finish);
    if (group?.finishers.size === 0) this.#waiting.delete(id);
  }
}
