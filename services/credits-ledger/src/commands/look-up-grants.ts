import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { findBlocks } from '../store/blocks.ts';

export const lookUpGrants = onCommand(
  creditsLedger.lookUpGrants,
  async ({ sql }: Pick<Deps, 'sql'>, { refs }) => ({ rows: await findBlocks(sql, refs) }),
);
