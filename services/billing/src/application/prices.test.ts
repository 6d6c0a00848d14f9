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
type Listed = { id: string; lookup_key: string | null; unit_amount: number | null; currency: string };
const listed = (): Listed[] =>
  CREDIT_BLOCKS.map((block) => ({
    ...{ id: `price_${block}`, lookup_key: `credits_${block}`, currency: 'usd' },
    unit_amount: config.prices.get(block) ?? null,
  }));
const pricesAt = (answers: (() => Promise<{ data: Listed[] }>)[]) => {
  let asked = 0;
  const prices = createPrices(config, { prices: async () => (answers[asked++] ?? answers.at(-1))!() });
  return { prices, asked: () => asked };
};
const changed = (change: (price: Listed) => Partial<Listed>): Listed[] =>
  listed().map((price) => (price.lookup_key === 'credits_20' ? { ...price, ...change(price) } : price));

describe('a price', () => {
  it('is that of our configuration while the processor has the same, and is asked for once', async () => {
    const { prices, asked } = pricesAt([async () => ({ data: listed() })]);
    for (const block of CREDIT_BLOCKS)
      expect(await prices.of(block)).toEqual({
        ...{ id: `price_${block}`, amount: config.prices.get(block), currency: 'usd' },
      });
    expect(asked()).toBe(1);
  });

  it.each<[string, Listed[]]>([
    ['another amount', changed(() => ({ unit_amount: 901 }))],
    ['no amount', changed(() => ({ unit_amount: null }))],
    ['another currency', changed(() => ({ currency: 'eur' }))],
    ['another name', changed(() => ({ lookup_key: 'credits_21' }))],
    ['nothing', []],
  ])('for which the processor has %s is sold to nobody', async (_what, data) => {
    const { prices } = pricesAt([async () => ({ data })]);
    expect(await codeOf(prices.of(20))).toBe('configuration_error');
    expect(await codeOf(prices.of(5))).toBe('configuration_error');
  });

  it('that could not be asked for is asked for again by the next buyer', async () => {
    const fail = async () => {
      throw new Error('away');
    };
    const { prices, asked } = pricesAt([fail, async () => ({ data: listed() })]);
    await expect(prices.of(20)).rejects.toThrow('away');
    expect((await prices.of(20)).amount).toBe(900);
    expect(asked()).toBe(2);
  });
});
