import { billing, CREDIT_BLOCKS } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

export const listPrices = onCommand(billing.listPrices, async ({ config }: Pick<Deps, 'config'>) => ({
  currency: config.currency,
  blocks: CREDIT_BLOCKS.map((block) => ({ block, amount: config.prices.get(block) as number })),
}));
