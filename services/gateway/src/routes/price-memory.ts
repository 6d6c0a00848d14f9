import type { billing, ReplyOf } from '@tds/contracts';

type Prices = ReplyOf<typeof billing.listPrices>;
const LIFE_MS = 60_000;

/** Prices are the same for all callers: a process reads them once a minute. */
export const createPriceMemory = (clock: () => number) => {
  let kept: { readonly prices: Prices; readonly readAt: number } | null = null;
  return async (read: () => Promise<Prices>): Promise<Prices> => {
    if (kept === null || clock() - kept.readAt >= LIFE_MS) kept = { prices: await read(), readAt: clock() };
    return kept.prices;
  };
};
