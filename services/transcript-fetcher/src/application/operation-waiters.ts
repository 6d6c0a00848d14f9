import type { AnsweredTranscript } from '@tds/contracts';
import { Waiters } from '@tds/service-kit';
import type { EndedOperation } from '../domain/operation.ts';

/** An operation as it is now, or as this process has just ended it: that spares its callers the looks into the tables. */
export type OperationOutcome = {
  readonly operation: EndedOperation;
  /** Its file, if this process has just rendered it; with its text if that is small. */
  readonly delivered: AnsweredTranscript | null;
  /** Whether the delivery has reported its charge to the request that opened the operation. */
  readonly isReportedToOpener: boolean;
};

/** As long as it may take until somebody looks whose wake-up was lost. */
const BELIEVED_OPEN_MS = 2_000;

/** Callers of this process that wait for operations to end, and what is known of operations without a look. */
export class OperationWaiters extends Waiters<OperationOutcome> {
  /** Until when the requests that opened operations wait here, as `performance.now` has it. */
  readonly #openers = new Map<string, number>();
  /** Until when, in the order of that. */
  readonly #believedOpen = new Map<string, number>();

  override wake(id: string, outcome: OperationOutcome | null = null): void {
    this.#believedOpen.delete(id);
    super.wake(id, outcome);
  }

  /** Unless they have ended before this: for a while nobody has to look, because their end wakes. */
  believeOpen(ids: Iterable<string>): void {
    const now = performance.now();
    for (const [id, until] of this.#believedOpen) {
      if (until > now) break;
      this.#believedOpen.delete(id);
    }
    for (const id of ids) {
      this.#believedOpen.delete(id);
      this.#believedOpen.set(id, now + BELIEVED_OPEN_MS);
    }
  }

  doubtOpen(id: string): void {
    this.#believedOpen.delete(id);
  }

  isBelievedOpen(id: string): boolean {
    return (this.#believedOpen.get(id) ?? 0) > performance.now();
  }

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
