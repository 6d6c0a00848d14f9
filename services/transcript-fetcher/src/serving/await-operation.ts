import { isResolved } from '../domain/operation.ts';
import type { Database } from '../store/database.ts';
import { findOperation } from '../store/operations.ts';
import type { News, Waiters } from './waiters.ts';

/** How often a waiting caller looks by itself, should the wake-up be lost. */
const LOOK_EVERY_MS = 1_000;

export type Wait = {
  readonly id: string;
  readonly waitMs: number;
  /** Begun by this call: there is nothing to see yet. */
  readonly isNew?: boolean;
};

/** Waits until an operation is resolved or `waitMs` has passed; answers it as it then is. */
export async function awaitOperation(
  { db, waiters }: { db: Database; waiters: Waiters },
  { id, waitMs, isNew = false }: Wait,
  signal: AbortSignal,
): Promise<News | null> {
  const deadline = performance.now() + waitMs;
  for (let mayLook = !isNew || waitMs === 0; ; mayLook = true) {
    const remainingMs = deadline - performance.now();
    const next = waiters.wait(id, Math.max(0, Math.min(LOOK_EVERY_MS, remainingMs)), signal);
    const operation = mayLook ? await findOperation(db, id) : undefined;
    const isOver = remainingMs <= 0 || signal.aborted;
    if (operation !== undefined && (operation === null || isResolved(operation) || isOver)) {
      next.cancel();
      return operation && { operation, delivered: null, creditsLeft: null };
    }
    const news = await next.done;
    if (news && isResolved(news.operation)) return news;
  }
}
