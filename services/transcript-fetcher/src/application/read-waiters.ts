import type { AnsweredTranscript } from '@tds/contracts';
import { Waiters } from '@tds/service-kit';
import { isAnswerable, type Operation } from '../domain/operation.ts';
import type { Database } from '../store/database.ts';
import { findOperation } from '../store/operations.ts';

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

/** How often a waiting caller looks by itself, should the wake-up be lost. */
const LOOK_EVERY_MS = 1_000;

export type Wait = {
  readonly id: string;
  readonly waitMs: number;
  /** Opened by this request: there is nothing to see yet. */
  readonly isNew: boolean;
};
type Parts = { readonly db: Database; readonly waiters: ReadWaiters };

/** Waits until an operation has ended or `waitMs` has passed; answers it as it then is, null if there is none. */
export async function awaitOperation(
  parts: Parts,
  wait: Wait,
  signal: AbortSignal,
): Promise<ReadOutcome | null> {
  const deadline = performance.now() + wait.waitMs;
  if (!wait.isNew) return await untilEnded(parts, wait, deadline, signal);
  const leave = parts.waiters.openerWaits(wait.id, deadline);
  try {
    return await untilEnded(parts, wait, deadline, signal);
  } finally {
    leave();
  }
}

async function untilEnded(
  { db, waiters }: Parts,
  { id, waitMs, isNew }: Wait,
  deadline: number,
  signal: AbortSignal,
): Promise<ReadOutcome | null> {
  for (let mayLook = !isNew || waitMs === 0; ; mayLook = true) {
    const remainingMs = deadline - performance.now();
    const next = waiters.wait(id, Math.max(0, Math.min(LOOK_EVERY_MS, remainingMs)), signal);
    const operation = mayLook ? await findOperation(db, id) : undefined;
    const isOver = remainingMs <= 0 || signal.aborted;
    if (operation !== undefined && (operation === null || isAnswerable(operation) || isOver)) {
      next.cancel();
      return operation && { operation, delivered: null, isToldToOpener: false };
    }
    const outcome = await next.done;
    if (outcome) return outcome;
  }
}
