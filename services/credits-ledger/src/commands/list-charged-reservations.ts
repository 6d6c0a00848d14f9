import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { readEpoch } from '../store/epoch.ts';
import { readChargedReservations } from '../store/reservations.ts';

export const listChargedReservations = onCommand(
  creditsLedger.listChargedReservations,
  async ({ sql }: Pick<Deps, 'sql'>, request) => ({
    ledgerEpoch: await readEpoch(sql),
    rows: await readChargedReservations(sql, request),
  }),
);
