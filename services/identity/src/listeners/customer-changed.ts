import { billing } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

/** An older version than one that was followed changes nothing. */
export const customerChanged = onEvent(
  billing.customerChanged,
  async ({ followCustomer }: Pick<Deps, 'followCustomer'>, customer, context) => {
    const { accountId, tier, isDisputed } = customer;
    context.record.add({ accountId, tier, isDisputed });
    await followCustomer(customer, context);
  },
);
