import { billing, identity } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import { followCustomer } from '../application/follow-customer.ts';
import { forgetKeysOfAccount } from '../application/forget-principals.ts';
import type { Deps } from '../deps.ts';

/** An older version than one that was followed changes nothing. */
export const customerChanged = onEvent(
  billing.customerChanged,
  async (deps: Pick<Deps, 'db' | 'messaging' | 'now' | 'vault' | 'principals'>, customer, context) => {
    const { accountId, tier } = customer;
    const now = deps.now();
    await deps.messaging.transaction(deps.db, (tx, send) =>
      context.onceIfNewest(tx, async () => {
        const isNewTier = await followCustomer({ tx, send, now }, customer, context.requestId);
        context.record.add({ accountId, tier, isDisputed: customer.isDisputed, isNewTier });
      }),
    );
    await forgetKeysOfAccount(deps, accountId);
    deps.messaging.hint(identity.accountTierChanged, { accountId, tier });
  },
);
