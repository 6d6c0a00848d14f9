type Waiting<Ask, Reply> = {
  readonly ask: Ask;
  resolve(reply: Reply | null): void;
};

const MAX_BATCH = 64;

type BatchOptions<Ask, Reply> = {
  /** Answers in order; null if the whole batch has no answer. */
  send(asks: readonly Ask[]): Promise<readonly Reply[] | null>;
  /** Whether new requests wait for the round trip under way. */
  mayHold(): boolean;
};

/**
 * Sends requests of one turn of the event loop, or of one round trip, together. A lone request does not wait; under
 * load dozens share a round trip, which costs less than one each.
 */
export const createBatch = <Ask, Reply>({
  send,
  mayHold,
}: BatchOptions<Ask, Reply>): ((ask: Ask) => Promise<Reply | null>) => {
  let waiting: Waiting<Ask, Reply>[] = [];
  let isScheduled = false;
  let underWay = 0;

  const deliver = async (batch: readonly Waiting<Ask, Reply>[]): Promise<void> => {
    underWay += 1;
    // Without an answer each caller gets null; the sender handles the cause.
    const replies = await send(batch.map(({ ask }) => ask)).catch(() => null);
    underWay -= 1;
    for (const [index, { resolve }] of batch.entries()) resolve(replies?.[index] ?? null);
    if (waiting.length > 0) schedule();
  };
  const flush = (): void => {
    isScheduled = false;
    if (waiting.length === 0 || (underWay > 0 && waiting.length < MAX_BATCH && mayHold())) return;
    const batch = waiting;
    waiting = [];
    void deliver(batch);
  };
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(flush);
  }
  return (ask) =>
    new Promise((resolve) => {
      waiting.push({ ask, resolve });
      if (waiting.length >= MAX_BATCH) flush();
      else schedule();
    });
};
