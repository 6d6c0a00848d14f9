import { identity } from '@tds/contracts';
import { onBroadcast } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

export const accountTierChanged = onBroadcast(
  identity.accountTierChanged,
  async ({ principals }: Pick<Deps, 'principals'>, { accountId, tier }) =>
    principals.changeTier(accountId, tier),
);
