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
  /** Calls under way at the same time. */
  readonly lanes: number;
};

/**
 * Gives one item to `call`; items that arrive while all lanes are busy go together as the next call. Without load nothing
 * waits. An item whose signal has fired before its turn is left out, and rejects with the signal's reason.
 */
export function gather<Item, Answer>({ call, maxBatch, lanes }: GatherOptions<Item, Answer>) {
  const waiting: Waiting<Item, Answer>[] = [];
  let busyLanes = 0;

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

  const next = (): void => {
    while (busyLanes < lanes && waiting.length > 0) {
      const batch = waiting.splice(0, maxBatch).filter(isStillWanted);
      if (batch.length === 0) continue;
      busyLanes += 1;
      void run(batch).finally(() => {
        busyLanes -= 1;
        next();
      });
    }
  };

  return (item: Item, signal: AbortSignal): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    waiting.push({ item, signal, resolve, reject });
    next();
    return promise;
  };
}
