import { ExponentialBackoff, halfJitterGenerator, handleWhen, retry } from 'cockatiel';

type Waiting<Item, Answer> = {
  readonly item: Item;
  readonly signal: AbortSignal;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
};

type Call<Item, Answer> = (items: readonly Item[]) => Promise<PromiseSettledResult<Answer>[]>;

type Pace = {
  /** If this many items wait, a second call may start beside one that is under way. */
  readonly largeBatch: number;
  /** A call that takes longer than this no longer holds up the next one. */
  readonly slowAfterMs: number;
  /** Calls under way at the same time, slow ones included. */
  readonly maxCalls: number;
};

type BatcherOptions<Item, Answer> = Pace & {
  /** One result per item, in their order. */
  readonly call: Call<Item, Answer>;
  readonly maxBatch: number;
};

/** Decides when a call may start. `onChange` runs when a call has ended or turns out to be slow: another may start then. */
const createPacer = ({ largeBatch, slowAfterMs, maxCalls }: Pace, onChange: () => void) => {
  let underWay = 0;
  let slow = 0;
  return {
    mayStart: (waiting: number): boolean => {
      if (waiting === 0 || underWay === maxCalls) return false;
      const quick = underWay - slow;
      return quick === 0 || (quick === 1 && waiting >= largeBatch);
    },
    run: async (work: () => Promise<void>): Promise<void> => {
      let isSlow = false;
      const timer = setTimeout(() => {
        isSlow = true;
        slow += 1;
        onChange();
      }, slowAfterMs).unref();
      underWay += 1;
      await work();
      clearTimeout(timer);
      underWay -= 1;
      if (isSlow) slow -= 1;
      onChange();
    },
  };
};

/** Calls with the items of a batch, and gives each its result; never rejects. */
async function answerAll<Item, Answer>(
  call: Call<Item, Answer>,
  batch: readonly Waiting<Item, Answer>[],
): Promise<void> {
  try {
    const results = await call(batch.map(({ item }) => item));
    batch.forEach(({ resolve, reject }, index) => {
      const result = results[index];
      if (result?.status === 'fulfilled') resolve(result.value);
      else reject(result?.reason ?? new Error(`no result for item ${index} of ${batch.length}`));
    });
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

const isStillWanted = ({ signal, reject }: Pick<Waiting<unknown, never>, 'signal' | 'reject'>): boolean => {
  if (signal.aborted) reject(signal.reason);
  return !signal.aborted;
};

/**
 * Collects items into calls: what arrives while a call is under way goes together as the next one, so nothing waits without
 * load, and a call is shared under load. An item whose signal is aborted before its call starts is left out and rejected with
 * the signal's reason.
 */
export function createBatcher<Item, Answer>({ call, maxBatch, ...pace }: BatcherOptions<Item, Answer>) {
  const waiting: Waiting<Item, Answer>[] = [];
  let isScheduled = false;

  const startNext = (): void => {
    while (pacer.mayStart(waiting.length)) {
      const batch = waiting.splice(0, maxBatch).filter(isStillWanted);
      if (batch.length > 0) void pacer.run(() => answerAll(call, batch));
    }
  };
  const pacer = createPacer(pace, startNext);

  /**
   * Waits for the end of this turn of the event loop. One read of a socket brings many items: a call that started with the
   * first would carry it alone, and the others would wait for that call to end.
   */
  const schedule = (): void => {
    if (isScheduled || !pacer.mayStart(waiting.length)) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      startNext();
    });
  };

  return (item: Item, signal: AbortSignal): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    waiting.push({ item, signal, resolve, reject });
    schedule();
    return promise;
  };
}

/** After the first attempt. */
const RETRIES = 4;
/** Pauses double from half of this to all of it, by chance: calls that failed together do not come back together. */
const FIRST_PAUSE_MS = 50;

type Failures = {
  /** Whether the same call may succeed later: contention, or a server that is away. */
  readonly isTransient: (error: unknown) => boolean;
  /** The error that rejects the items if it did not. */
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
