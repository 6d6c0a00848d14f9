import { isServiceAway, RetryLater } from '@tds/service-kit';

const LOOK_AGAIN_MS = 2_000;

/** Work of a task that needs other services: where one is away, it is tried again soon, however often. */
export async function untilBack<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isServiceAway(error)) throw error;
    throw new RetryLater(LOOK_AGAIN_MS, error.message, { isAttempt: false });
  }
}
