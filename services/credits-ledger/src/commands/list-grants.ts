import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { readGrantedBlocks } from '../store/blocks.ts';

export const listGrants = onCommand(
  creditsLedger.listGrants,
  async ({ sql }: Pick<Deps, 'sql'>, request) => ({ rows: await readGrantedBlocks(sql, request) }),
);
