import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { readEpoch } from '../store/epoch.ts';
import { readOpenReservations } from '../store/reservations.ts';

export const listOpenReservations = onCommand(
  creditsLedger.listOpenReservations,
  async ({ sql }: Pick<Deps, 'sql'>, request) => ({
    ledgerEpoch: await readEpoch(sql),
    rows: await readOpenReservations(sql, request),
  }),
);
