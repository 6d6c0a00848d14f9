import { billing, identity } from '@tds/contracts';
import { onEvent } from '@tds/kit';
import type { Deps } from './deps.ts';

/** The money of blocks of which a closed account has used nothing is refunded. */
export const accountStatusChanged = onEvent(
  identity.accountStatusChanged,
  async ({ db, messaging }: Deps, { accountId, status }, { once }) => {
    if (status !== 'closed') return;
    await messaging.transaction(db, (tx, send) =>
      once(tx, async () => {
        await send.enqueue(billing.settleClosedAccount, { accountId }, { key: accountId });
      }),
    );
  },
);
