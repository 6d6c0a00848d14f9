import type { AnsweredTranscript } from '@tds/contracts';
import { Waiters } from '@tds/service-kit';
import type { Operation } from '../domain/operation.ts';

/** A read as this process has just ended it: that spares its callers the looks into the tables. */
export type ReadOutcome = {
  readonly operation: Omit<Operation, 'accountId' | 'createdAt'>;
  /** Its file, if this process has just rendered it; with its text if that is small. */
  readonly delivered: AnsweredTranscript | null;
  /** Whether the delivery has told its charge to the request that opened the read. */
  readonly isToldToOpener: boolean;
};

/** Callers of this process that wait for reads to end. */
export class ReadWaiters extends Waiters<ReadOutcome> {
  /** Until when the requests that opened reads wait here, as `performance.now` has it. */
  readonly #openers = new Map<string, number>();

  /** The request that opened `id` waits for its end until `deadline`; call the result when it does no longer. */
  openerWaits(id: string, deadline: number): () => void {
    this.#openers.set(id, deadline);
    return () => this.#openers.delete(id);
  }

  /** Whether the request that opened `id` will still be waiting here in `ms`. */
  willOpenerWait(id: string, ms: number): boolean {
    return (this.#openers.get(id) ?? 0) - performance.now() > ms;
  }
}
