import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { readSpending } from '../store/blocks.ts';

export const getSpending = onCommand(
  creditsLedger.getSpending,
  async ({ sql }: Pick<Deps, 'sql'>, { accountId }) => ({ spent: await readSpending(sql, accountId) }),
);
