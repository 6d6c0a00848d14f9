import { billing, identity } from '@tds/contracts';
import { onEvent, runOnce } from '@tds/kit';
import type { Deps } from './deps.ts';

/** The money of blocks of which a closed account has used nothing is refunded. */
export const accountStatusChanged = onEvent(
  identity.accountStatusChanged,
  async (deps: Deps, { accountId, status }, context) => {
    if (status !== 'closed') return;
    await runOnce(deps, context, (_tx, send) =>
      send.enqueue(billing.settleClosedAccount, { accountId }, { key: accountId }),
    );
  },
);
