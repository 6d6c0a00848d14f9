import type { AnsweredTranscript } from '@tds/contracts';
import { type EndedOperation, isAnswerable } from '../domain/operation.ts';
import type { Database } from '../store/database.ts';
import { findOperation } from '../store/operations.ts';

/** An operation as it is now, or as this process has just ended it: that spares its callers the looks into the tables. */
export type OperationOutcome = {
  readonly operation: EndedOperation;
  /** Its file, if this process has just rendered it; with its text if that is small. */
  readonly delivered: AnsweredTranscript | null;
  /** Whether the delivery has reported its charge to the request that opened the operation. */
  readonly isReportedToOpener: boolean;
};

type Finish = (outcome: OperationOutcome | null) => void;

/** As long as it may take until somebody looks whose wake-up was lost. */
const BELIEVED_OPEN_MS = 2_000;

/** Callers of this process that wait for operations to end. A lost wake-up only costs them the next look. */
export class Waiters {
  readonly #waiting = new Map<string, Set<Finish>>();
  /** Until when the requests that opened operations wait here, as `performance.now` has it. */
  readonly #openers = new Map<string, number>();
  /** Until when, in the order of that. */
  readonly #believedOpen = new Map<string, number>();

  /** Resolves at the next wake-up for `id`, after `ms`, or when `signal` fires; cancel it when no longer needed. */
  wait(
    id: string,
    ms: number,
    signal: AbortSignal,
  ): { readonly done: Promise<OperationOutcome | null>; cancel(): void } {
    const { promise, resolve } = Promise.withResolvers<OperationOutcome | null>();
    const finish: Finish = (outcome) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      this.#remove(id, finish);
      resolve(outcome);
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

  /** Calls `onWake` at every wake-up for `id`; call the result when that is no longer needed. */
  listen(id: string, onWake: () => void): () => void {
    const finishers = this.#waiting.get(id) ?? new Set();
    finishers.add(onWake);
    this.#waiting.set(id, finishers);
    return () => this.#remove(id, onWake);
  }

  /** With the outcome if this process has just ended the operation; without, its callers look for themselves. */
  wake(id: string, outcome: OperationOutcome | null = null): void {
    this.#believedOpen.delete(id);
    for (const finish of [...(this.#waiting.get(id) ?? [])]) finish(outcome);
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

  #remove(id: string, finish: Finish): void {
    const finishers = this.#waiting.get(id);
    finishers?.delete(finish);
    if (finishers?.size === 0) this.#waiting.delete(id);
  }
}

/** How often a waiting caller looks by itself, should the wake-up be lost. */
const LOOK_EVERY_MS = 1_000;

export type Wait = {
  readonly id: string;
  readonly waitMs: number;
  /** Opened by this request: there is nothing to see yet. */
  readonly isNew?: boolean;
};
type Parts = { readonly db: Database; readonly waiters: Waiters };

/** Waits until an operation can be answered or `waitMs` has passed; answers it as it then is, null if there is none. */
export async function awaitOperation(
  parts: Parts,
  wait: Wait,
  signal: AbortSignal,
): Promise<OperationOutcome | null> {
  const deadline = performance.now() + wait.waitMs;
  if (!wait.isNew) return await untilAnswerable(parts, wait, deadline, signal);
  const leave = parts.waiters.openerWaits(wait.id, deadline);
  try {
    return await untilAnswerable(parts, wait, deadline, signal);
  } finally {
    leave();
  }
}

async function untilAnswerable(
  { db, waiters }: Parts,
  { id, waitMs, isNew = false }: Wait,
  deadline: number,
  signal: AbortSignal,
): Promise<OperationOutcome | null> {
  for (let mayLook = !isNew || waitMs === 0; ; mayLook = true) {
    const remainingMs = deadline - performance.now();
    const next = waiters.wait(id, Math.max(0, Math.min(LOOK_EVERY_MS, remainingMs)), signal);
    const operation = mayLook ? await findOperation(db, id) : undefined;
    const isOver = remainingMs <= 0 || signal.aborted;
    if (operation !== undefined && (operation === null || isAnswerable(operation) || isOver)) {
      next.cancel();
      return operation && { operation, delivered: null, isReportedToOpener: false };
    }
    const outcome = await next.done;
    if (outcome && isAnswerable(outcome.operation)) return outcome;
  }
}
