import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { readEpoch } from '../store/epoch.ts';
import { readParts } from '../store/reservations.ts';

export const lookUpParts = onCommand(
  creditsLedger.lookUpParts,
  async ({ sql }: Pick<Deps, 'sql'>, { refs }) => ({
    ledgerEpoch: await readEpoch(sql),
    rows: await readParts(sql, refs),
  }),
);
