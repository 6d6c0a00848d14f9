type Waiting<Item, Answer> = {
  readonly item: Item;
  readonly signal: AbortSignal;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
};

type GatherOptions<Item, Answer> = {
  /** One result per item, in their order. */
  readonly call: (items: readonly Item[]) => Promise<PromiseSettledResult<Answer>[]>;
  readonly maxBatch: number;
  /** Where this many wait, they share the cost of a call well enough to begin beside one that is under way. */
  readonly largeBatch: number;
  /** The next call does not wait any longer for one that takes longer than this. */
  readonly slowAfterMs: number;
  /** Calls under way at the same time, slow ones included. */
  readonly lanes: number;
};

/**
 * Gives to `call` what arrives in one turn of the event loop; items that arrive while a call is under way go together as the
 * next one. Without load nothing waits. An item whose signal has fired before its turn is left out, and rejects with the
 * signal's reason.
 */
export function gather<Item, Answer>({
  call,
  maxBatch,
  largeBatch,
  slowAfterMs,
  lanes,
}: GatherOptions<Item, Answer>) {
  const waiting: Waiting<Item, Answer>[] = [];
  let underWay = 0;
  let slow = 0;
  let isBeginning = false;

  const isStillWanted = ({ signal, reject }: Waiting<Item, Answer>): boolean => {
    if (signal.aborted) reject(signal.reason);
    return !signal.aborted;
  };

  const run = async (batch: readonly Waiting<Item, Answer>[]): Promise<void> => {
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
  };

  /** Runs the batch, and lets the next one begin when it has ended or turns out to be slow. */
  const begin = async (batch: readonly Waiting<Item, Answer>[]): Promise<void> => {
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      slow += 1;
      next();
    }, slowAfterMs).unref();
    underWay += 1;
    await run(batch);
    clearTimeout(timer);
    underWay -= 1;
    if (isSlow) slow -= 1;
    next();
  };

  const mayBegin = (): boolean => {
    if (waiting.length === 0 || underWay === lanes) return false;
    const quick = underWay - slow;
    return quick === 0 || (quick === 1 && waiting.length >= largeBatch);
  };

  const next = (): void => {
    while (mayBegin()) {
      const batch = waiting.splice(0, maxBatch).filter(isStillWanted);
      if (batch.length > 0) void begin(batch);
    }
  };

  /** When all that one read of a socket has brought is here: else its first item went alone, and the rest waited for it. */
  const soon = (): void => {
    if (isBeginning || !mayBegin()) return;
    isBeginning = true;
    setImmediate(() => {
      isBeginning = false;
      next();
    });
  };

  return (item: Item, signal: AbortSignal): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    waiting.push({ item, signal, resolve, reject });
    soon();
    return promise;
  };
}
