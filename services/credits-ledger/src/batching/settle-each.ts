import { setTimeout as sleep } from 'node:timers/promises';

const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 25;

export type Patience = {
  /** Whether the same call may succeed later: contention, or a server that is away. */
  readonly isPassing: (error: unknown) => boolean;
  /** What the items get when it did not pass. */
  readonly giveUp: (error: unknown) => unknown;
  readonly pause?: (ms: number) => Promise<unknown>;
};

/** Half of it by chance, so that those who failed together do not come back together. */
const pauseMs = (attempt: number): number => FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2);

/**
 * Calls with all items, and again while the failure is one that passes, at most five times. A call that fails for another
 * reason is repeated item by item, so that only the item at fault fails. Calls may have happened without being answered:
 * they have to be repeatable.
 */
export async function settleEach<Item, Answer>(
  call: (items: readonly Item[]) => Promise<Answer[]>,
  items: readonly Item[],
  patience: Patience,
): Promise<PromiseSettledResult<Answer>[]> {
  const { isPassing, giveUp, pause = sleep } = patience;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await call(items)).map((value) => ({ status: 'fulfilled', value }));
    } catch (error) {
      if (isPassing(error) && attempt < MAX_ATTEMPTS) await pause(pauseMs(attempt));
      else if (isPassing(error)) return items.map(() => ({ status: 'rejected', reason: giveUp(error) }));
      else if (items.length === 1) return [{ status: 'rejected', reason: error }];
      else return (await Promise.all(items.map((item) => settleEach(call, [item], patience)))).flat();
    }
  }
}
