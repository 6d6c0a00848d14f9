import { isResolved, type Operation } from '../domain/operation.ts';
import type { Database } from '../store/database.ts';
import { findOperation } from '../store/operations.ts';
import type { Waiters } from './waiters.ts';

/** How often a waiting caller looks by itself, should the wake-up be lost. */
const LOOK_EVERY_MS = 1_000;

/** Waits until an operation is resolved or `waitMs` has passed; answers it as it then is. */
export async function awaitOperation(
  { db, waiters }: { db: Database; waiters: Waiters },
  id: string,
  waitMs: number,
  signal: AbortSignal,
): Promise<Operation | null> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const remainingMs = deadline - performance.now();
    const next = waiters.wait(id, Math.max(0, Math.min(LOOK_EVERY_MS, remainingMs)), signal);
    const operation = await findOperation(db, id);
    if (operation === null || isResolved(operation) || remainingMs <= 0 || signal.aborted) {
      next.cancel();
      return operation;
    }
    await next.done;
  }
}
