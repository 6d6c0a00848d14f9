import { billing, identity } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { showPurchases } from '../application/show-purchases.ts';
import type { Deps } from '../deps.ts';
import { listOf } from '../store/purchases.ts';

export const listPurchases = onCommand(
  billing.listPurchases,
  async (deps: Pick<Deps, 'db' | 'call' | 'now'>, { accountId, ...page }, context) => {
    const { email } = await deps.call(identity.getAccount, { accountId, keyId: null }, context);
    const { purchases, total } = await listOf(deps.db, { accountId, email }, page);
    return { purchases: await showPurchases(deps, purchases, context), total };
  },
);
