import { CREDIT_BLOCKS, type CreditBlock } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Config } from '../config.ts';
import { lookupKeyOf, type Processor } from '../upstream/processor.ts';

type Price = { readonly id: string; readonly amount: number; readonly currency: string };
type ByBlock = ReadonlyMap<CreditBlock, Price>;

const compare = (
  { prices, currency }: Pick<Config, 'prices' | 'currency'>,
  { data }: Awaited<ReturnType<Processor['prices']>>,
): ByBlock =>
  new Map(
    CREDIT_BLOCKS.map((block) => {
      const amount = prices.get(block) as number;
      const match = data.find((price) => price.lookup_key === lookupKeyOf(block));
      if (match?.unit_amount !== amount || match.currency !== currency) {
        const listed = match ? `${match.unit_amount} ${match.currency}` : 'no price';
        throw serviceError('configuration_error', {
          cause: new Error(`${lookupKeyOf(block)}: ${amount} ${currency} here, ${listed} at the processor`),
        });
      }
      return [block, { id: match.id, amount, currency }] as const;
    }),
  );

/** The configured prices of blocks. A block is sold only if the processor has the same price. */
export const createPrices = (
  config: Pick<Config, 'prices' | 'currency'>,
  processor: Pick<Processor, 'prices'>,
) => {
  let cached: Promise<ByBlock> | null = null;
  const check = (): Promise<ByBlock> => {
    const request = processor.prices(CREDIT_BLOCKS).then((page) => compare(config, page));
    cached = request;
    // After a failure the next caller asks again.
    request.catch(() => {
      if (cached === request) cached = null;
    });
    return request;
  };
  return {
    check,
    /** Throws `configuration_error` if the processor has another price, and the processor's errors. */
    of: async (block: CreditBlock): Promise<Price> => (await (cached ?? check())).get(block) as Price,
  };
};
export type Prices = ReturnType<typeof createPrices>;
