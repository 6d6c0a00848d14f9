import { Waiters } from '@tds/base';
import type { AnsweredTranscript } from '@tds/contracts';
import { isAnswerable, type Operation } from '../domain/operation.ts';
import type { Database } from '../store/database.ts';
import { findOperation } from './store/operations.ts';

/** A read that this process has just ended. It spares the callers a query. */
export type ReadOutcome = {
  readonly operation: Omit<Operation, 'accountId' | 'createdAt'>;
  /** The file, if this process has just rendered it, with the text if that is small. */
  readonly delivered: AnsweredTranscript | null;
  /** The request that opened the read reports its charge. */
  readonly isReportedToOpener: boolean;
};

/** Callers of this process that wait for reads to end. */
export class ReadWaiters extends Waiters<ReadOutcome> {
  /** Deadlines of the requests that opened reads, on the clock of `performance.now`. */
  readonly #openers = new Map<string, number>();

  /** Registers the request that opened `id` and waits until `deadline`. Call the result when it stops waiting. */
  registerOpener(id: string, deadline: number): () => void {
    this.#openers.set(id, deadline);
    return () => this.#openers.delete(id);
  }

  /** Returns true if the request that opened `id` will still be waiting in `ms`. */
  willOpenerWait(id: string, ms: number): boolean {
    return (this.#openers.get(id) ?? 0) - performance.now() > ms;
  }
}

/** A waiting caller queries this often by itself, in case its wake-up was lost. */
const POLL_EVERY_MS = 1_000;

export type Wait = {
  readonly id: string;
  readonly waitMs: number;
  /** Opened by this request, so the first query would find nothing. */
  readonly isNew: boolean;
};
type WaitDeps = { readonly db: Database; readonly waiters: ReadWaiters };

/** Waits until an operation ends or `waitMs` passes, and returns it as it is then; null if it does not exist. */
export async function awaitOperation(
  deps: WaitDeps,
  wait: Wait,
  signal: AbortSignal,
): Promise<ReadOutcome | null> {
  const deadline = performance.now() + wait.waitMs;
  if (!wait.isNew) return await untilEnded(deps, wait, deadline, signal);
  const releaseSlots = deps.waiters.registerOpener(wait.id, deadline);
  try {
    return await untilEnded(deps, wait, deadline, signal);
  } finally {
    releaseSlots();
  }
}

async function untilEnded(
  { db, waiters }: WaitDeps,
  { id, waitMs, isNew }: Wait,
  deadline: number,
  signal: AbortSignal,
): Promise<ReadOutcome | null> {
  for (let mayQuery = !isNew || waitMs === 0; ; mayQuery = true) {
    const remainingMs = deadline - performance.now();
    const next = waiters.wait(id, Math.max(0, Math.min(POLL_EVERY_MS, remainingMs)), signal);
    const operation = mayQuery ? await findOperation(db, id) : undefined;
    const isOver = remainingMs <= 0 || signal.aborted;
    if (operation !== undefined && (operation === null || isAnswerable(operation) || isOver)) {
      next.cancel();
      return operation && { operation, delivered: null, isReportedToOpener: false };
    }
    const outcome = await next.done;
    if (outcome) return outcome;
  }
}
