/**
 * Thrown by a task's handler that knows when another attempt makes sense, such as after a `Retry-After`: the task is due
 * again in `afterMs` instead of after the next pause of its contract. It counts as an attempt unless `isAttempt` is false:
 * say that where nothing was begun, because something that the task needs is away.
 */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  readonly afterMs: number;
  readonly isAttempt: boolean;

  constructor(afterMs: number, reason: string, { isAttempt = true }: { readonly isAttempt?: boolean } = {}) {
    super(reason);
    this.afterMs = afterMs;
    this.isAttempt = isAttempt;
  }
}
