import { setImmediate as turn } from 'node:timers/promises';
import { type RetryOptions, retry } from './backoff.ts';

/** Runs `start` at the end of this turn of the event loop: one read of a socket brings many items. */
const atEndOfTurn = (start: () => void): void => void setImmediate(start);

/** Runs `start` when the promises of this turn have settled, and before anything else happens. */
export const whenSettled = (start: () => void): void => process.nextTick(start);

/** Resolves at the end of this turn of the event loop: what sockets had received is read by then. */
export const nextTurn = (): Promise<void> => turn();

type BatcherOptions<Item, Answer> = {
  /** Resolves to one answer per item, in their order. An error rejects its own item; if the call throws, all are rejected. */
  readonly call: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>;
  /** Items of a call. */
  readonly maxBatch: number;
  /** Calls under way at the same time, slow ones included; as many as come by default. */
  readonly maxCalls?: number;
  /** How long a call holds up the next one, in ms, so that what arrives meanwhile goes together; not at all by default. */
  readonly slowAfterMs?: number;
  /** When the items that wait since now are sent; at the end of this turn of the event loop by default. */
  readonly schedule?: (start: () => void) => void;
};

type BatchItem<Item, Answer> = PromiseWithResolvers<Answer> & {
  readonly item: Item;
  readonly signal: AbortSignal | undefined;
};

/** Calls with the items of a batch, and gives each its answer; never rejects. */
async function answerAll<Item, Answer>(
  call: BatcherOptions<Item, Answer>['call'],
  batch: readonly BatchItem<Item, Answer>[],
): Promise<void> {
  try {
    const answers = await call(batch.map(({ item }) => item));
    if (answers.length !== batch.length)
      throw new Error(`a call with ${batch.length} items has ${answers.length} answers`);
    for (const [index, { resolve, reject }] of batch.entries()) {
      const answer = answers[index] as Answer | Error;
      if (answer instanceof Error) reject(answer);
      else resolve(answer);
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

const isStillWanted = ({ signal, reject }: Pick<BatchItem<unknown, never>, 'signal' | 'reject'>): boolean => {
  if (signal?.aborted) reject(signal.reason);
  return !signal?.aborted;
};

/** Counts the calls that hold up the next one, each until its release or until it is slow. */
const createHolds = (slowAfterMs: number, onSlow: () => void) => {
  const timers = new Set<NodeJS.Timeout>();
  return {
    count: () => timers.size,
    add: (): (() => void) => {
      if (slowAfterMs === 0) return () => {};
      const timer = setTimeout(() => {
        timers.delete(timer);
        onSlow();
      }, slowAfterMs).unref();
      timers.add(timer);
      return () => {
        timers.delete(timer);
        clearTimeout(timer);
      };
    },
  };
};

/**
 * Collects items into calls: nothing waits without load, and a call is shared under load. An item whose signal is aborted before
 * its call starts is left out and rejected with the signal's reason.
 */
export function createBatcher<Item, Answer>({
  call,
  maxBatch,
  maxCalls = Number.POSITIVE_INFINITY,
  slowAfterMs = 0,
  schedule = atEndOfTurn,
}: BatcherOptions<Item, Answer>): (item: Item, signal?: AbortSignal) => Promise<Answer> {
  const queue: BatchItem<Item, Answer>[] = [];
  let isScheduled = false;
  let underWay = 0;

  const holds = createHolds(slowAfterMs, () => startLater());
  const startLater = (): void => {
    if (isScheduled || queue.length === 0 || holds.count() > 0 || underWay >= maxCalls) return;
    isScheduled = true;
    schedule(start);
  };
  const run = async (batch: readonly BatchItem<Item, Answer>[]): Promise<void> => {
    underWay += 1;
    const release = holds.add();
    await answerAll(call, batch);
    underWay -= 1;
    release();
    startLater();
  };
  const start = (): void => {
    isScheduled = false;
    while (queue.length > 0 && holds.count() === 0 && underWay < maxCalls) {
      const batch = queue.splice(0, maxBatch).filter(isStillWanted);
      if (batch.length > 0) void run(batch);
    }
  };

  return (item, signal) => {
    const answer = Promise.withResolvers<Answer>();
    queue.push({ item, signal, ...answer });
    startLater();
    return answer.promise;
  };
}

type SplitOptions = Pick<RetryOptions, 'isTransient'> &
  Partial<Pick<RetryOptions, 'retries' | 'firstMs'>> & {
    /** The error that rejects the items if a transient failure lasts; the failure itself by default. */
    readonly giveUp?: (error: unknown) => unknown;
  };

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/**
 * A call for many items that retries as a whole while its failure is transient, after pauses of at most 50, 100, 200 and 400 ms by default. A
 * call that fails for another reason is split into one call per item, so that only the item at fault fails: its answer is the error. A failed
 * call may have been carried out all the same: calls have to be idempotent.
 */
export function retryThenSplit<Item, Answer>(
  call: (items: readonly Item[]) => Promise<readonly Answer[]>,
  { isTransient, giveUp = (error) => error, retries = 4, firstMs = 50 }: SplitOptions,
): (items: readonly Item[]) => Promise<readonly (Answer | Error)[]> {
  const settle = async (items: readonly Item[]): Promise<readonly (Answer | Error)[]> => {
    try {
      return await retry(() => call(items), { isTransient, retries, firstMs });
    } catch (error) {
      if (isTransient(error)) return items.map(() => toError(giveUp(error)));
      if (items.length === 1) return [toError(error)];
      return (await Promise.all(items.map((item) => settle([item])))).flat();
    }
  };
  return settle;
}
