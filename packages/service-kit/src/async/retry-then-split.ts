import { ExponentialBackoff, halfJitterGenerator, handleWhen, retry } from 'cockatiel';

/** After the first attempt. */
const RETRIES = 4;
/** Pauses double from half of this to all of it, by chance: calls that failed together do not come back together. */
const FIRST_PAUSE_MS = 50;

type Failures = {
  /** Whether the same call may succeed later: contention, or a server that is away. */
  readonly isTransient: (error: unknown) => boolean;
  /** What the items are rejected with if it did not. */
  readonly giveUp: (error: unknown) => unknown;
};

/**
 * A call for many items that retries as a whole while its failure is transient, at most five attempts. A call that fails for
 * another reason is split into one call per item, so that only the item at fault fails. A failed call may have been carried
 * out all the same: calls have to be idempotent.
 */
export function retryThenSplit<Item, Answer>(
  call: (items: readonly Item[]) => Promise<Answer[]>,
  { isTransient, giveUp }: Failures,
): (items: readonly Item[]) => Promise<PromiseSettledResult<Answer>[]> {
  const retries = retry(handleWhen(isTransient), {
    maxAttempts: RETRIES,
    backoff: new ExponentialBackoff({ initialDelay: FIRST_PAUSE_MS, generator: halfJitterGenerator }),
  });
  const settle = async (items: readonly Item[]): Promise<PromiseSettledResult<Answer>[]> => {
    try {
      const answers = await retries.execute(() => call(items));
      return answers.map((value) => ({ status: 'fulfilled', value }));
    } catch (error) {
      if (isTransient(error)) return items.map(() => ({ status: 'rejected', reason: giveUp(error) }));
      if (items.length === 1) return [{ status: 'rejected', reason: error }];
      return (await Promise.all(items.map((item) => settle([item])))).flat();
    }
  };
  return settle;
}
