import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { readStates } from '../store/reservations.ts';

export const lookUpReservations = onCommand(
  creditsLedger.lookUpReservations,
  async ({ sql }: Pick<Deps, 'sql'>, { refs }) => ({
    rows: await readStates(sql, refs),
  }),
);
