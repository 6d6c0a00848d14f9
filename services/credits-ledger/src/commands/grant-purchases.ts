import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

export const grantPurchases = onCommand(
  creditsLedger.grantPurchases,
  async ({ ledger }: Pick<Deps, 'ledger'>, { purchases }, { requestId, record }) => {
    const outcomes = (await ledger.grantPurchases({ purchases, requestId })).map(({ outcome }) => outcome);
    record.add({ purchases: purchases.length, refs: purchases.map(({ ref }) => ref), grants: outcomes });
    return { outcomes };
  },
);
