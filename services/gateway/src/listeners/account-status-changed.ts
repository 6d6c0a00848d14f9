import { identity } from '@tds/contracts';
import { onBroadcast } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

export const accountStatusChanged = onBroadcast(
  identity.accountStatusChanged,
  async ({ principals }: Pick<Deps, 'principals'>, { accountId, status }) =>
    principals.changeStatus(accountId, status),
);
