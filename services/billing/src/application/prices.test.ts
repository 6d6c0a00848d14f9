import { describe, expect, it } from '@jest/globals';
import { CREDIT_BLOCKS } from '@tds/contracts';
import { codeOf } from '@tds/test-kit';
import { createPrices } from './prices.ts';

const config = {
  currency: 'usd',
  prices: new Map([
    [5, 250],
    [20, 900],
    [50, 2_000],
    [200, 7_000],
    [1_000, 30_000],
  ] as const),
};
type ListedPrice = { id: string; lookup_key: string | null; unit_amount: number | null; currency: string };
const listed = (): ListedPrice[] =>
  CREDIT_BLOCKS.map((block) => ({
    ...{ id: `price_${block}`, lookup_key: `credits_${block}`, currency: 'usd' },
    unit_amount: config.prices.get(block) ?? null,
  }));
const pricesAt = (answers: (() => Promise<{ data: ListedPrice[] }>)[]) => {
  let asked = 0;
  const prices = createPrices(config, { prices: async () => (answers[asked++] ?? answers.at(-1))!() });
  return { prices, asked: () => asked };
};
const changed = (change: (price: ListedPrice) => Partial<ListedPrice>): ListedPrice[] =>
  listed().map((price) => (price.lookup_key === 'credits_20' ? { ...price, ...change(price) } : price));

describe('a price', () => {
  it('is the configured one if the processor has the same; the processor is asked once', async () => {
    const { prices, asked } = pricesAt([async () => ({ data: listed() })]);
    for (const block of CREDIT_BLOCKS)
      expect(await prices.of(block)).toEqual({
        ...{ id: `price_${block}`, amount: config.prices.get(block), currency: 'usd' },
      });
    expect(asked()).toBe(1);
  });

  it.each<[string, ListedPrice[]]>([
    ['another amount', changed(() => ({ unit_amount: 901 }))],
    ['no amount', changed(() => ({ unit_amount: null }))],
    ['another currency', changed(() => ({ currency: 'eur' }))],
    ['another name', changed(() => ({ lookup_key: 'credits_21' }))],
    ['nothing', []],
  ])('that the processor has as %s is not sold', async (_what, data) => {
    const { prices } = pricesAt([async () => ({ data })]);
    expect(await codeOf(prices.of(20))).toBe('configuration_error');
    expect(await codeOf(prices.of(5))).toBe('configuration_error');
  });

  it('is requested again by the next buyer after a failure', async () => {
    const fail = async () => {
      throw new Error('away');
    };
    const { prices, asked } = pricesAt([fail, async () => ({ data: listed() })]);
    await expect(prices.of(20)).rejects.toThrow('away');
    expect((await prices.of(20)).amount).toBe(900);
    expect(asked()).toBe(2);
  });
});
