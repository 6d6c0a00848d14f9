import { billing } from '@tds/contracts';
import type { Sender } from '@tds/service-kit';
import { renewStandings } from '../store/customers.ts';
import type { Db } from '../store/database.ts';
import type { Surface } from '../surface.ts';

type Sending = { readonly tx: Db; readonly send: Sender<Surface> };

/** Tells what the purchases of locked customers make of them, where that has changed. */
export const tellStandings = async (
  { tx, send }: Sending,
  customers: readonly { readonly accountId: string }[],
): Promise<void> => {
  const accountIds = [...new Set(customers.map(({ accountId }) => accountId))];
  for (const standing of await renewStandings(tx, accountIds))
    await send.emit(billing.customerChanged, standing);
};
