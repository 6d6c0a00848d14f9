import type { billing, ReplyOf } from '@tds/contracts';

type Prices = ReplyOf<typeof billing.listPrices>;
const LIFE_MS = 60_000;

/** Prices are the same for all callers: a process reads them once a minute. */
export const createPriceMemory = (clock: () => number) => {
  let cached: { readonly prices: Prices; readonly readAt: number } | null = null;
  return async (read: () => Promise<Prices>): Promise<Prices> => {
    if (cached === null || clock() - cached.readAt >= LIFE_MS)
      cached = { prices: await read(), readAt: clock() };
    return cached.prices;
  };
};
export type PriceMemory = ReturnType<typeof createPriceMemory>;
