type Waiting<Ask, Reply> = {
  readonly ask: Ask;
  resolve(reply: Reply | null): void;
};

const LARGEST_BATCH = 64;

/**
 * Sends together what is asked in one turn of the event loop: under load, dozens of requests share one round trip;
 * a lone one waits for nothing. `send` answers in order, null where there is no answer for the whole batch.
 */
export const createBatch = <Ask, Reply>(
  send: (asks: readonly Ask[]) => Promise<readonly Reply[] | null>,
): ((ask: Ask) => Promise<Reply | null>) => {
  let waiting: Waiting<Ask, Reply>[] = [];
  const flush = async (): Promise<void> => {
    const batch = waiting;
    if (batch.length === 0) return;
    waiting = [];
    const replies = await send(batch.map(({ ask }) => ask)).catch(() => null);
    for (const [index, { resolve }] of batch.entries()) resolve(replies?.[index] ?? null);
  };
  return (ask) =>
    new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ ask, resolve });
      if (waiting.length >= LARGEST_BATCH) void flush();
    });
};
