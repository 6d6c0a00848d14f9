import { CREDIT_BLOCKS, type CreditBlock, serviceError } from '@tds/contracts';
import type { Config } from '../config.ts';
import { lookupKeyOf, type Processor } from '../upstream/processor.ts';

export type Price = { readonly id: string; readonly amount: number; readonly currency: string };
type ByBlock = ReadonlyMap<CreditBlock, Price>;

const compare = (
  { prices, currency }: Pick<Config, 'prices' | 'currency'>,
  { data }: Awaited<ReturnType<Processor['prices']>>,
): ByBlock =>
  new Map(
    CREDIT_BLOCKS.map((block) => {
      const amount = prices.get(block) as number;
      const found = data.find((price) => price.lookup_key === lookupKeyOf(block));
      if (found?.unit_amount !== amount || found.currency !== currency) {
        const said = found ? `${found.unit_amount} ${found.currency}` : 'no price';
        throw serviceError('configuration_error', {
          cause: new Error(`${lookupKeyOf(block)}: ${amount} ${currency} here, ${said} at the processor`),
        });
      }
      return [block, { id: found.id, amount, currency }] as const;
    }),
  );

/** What blocks cost, by our configuration; sold only while the processor says the same. */
export const createPrices = (
  config: Pick<Config, 'prices' | 'currency'>,
  processor: Pick<Processor, 'prices'>,
) => {
  let known: Promise<ByBlock> | null = null;
  const check = (): Promise<ByBlock> => {
    const asked = processor.prices(CREDIT_BLOCKS).then((page) => compare(config, page));
    known = asked;
    // What failed is asked again by the next one.
    asked.catch(() => {
      if (known === asked) known = null;
    });
    return asked;
  };
  return {
    check,
    /** Throws `configuration_error` where the processor says otherwise, and what asking it throws. */
    of: async (block: CreditBlock): Promise<Price> => (await (known ?? check())).get(block) as Price,
  };
};
export type Prices = ReturnType<typeof createPrices>;
