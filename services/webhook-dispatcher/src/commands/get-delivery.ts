import { serviceError, webhookDispatcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { attemptsOf, findDelivery, toDelivery } from '../store/delivery-views.ts';

export const getDelivery = onCommand(
  webhookDispatcher.getDelivery,
  async ({ db }: Pick<Deps, 'db'>, { accountId, deliveryId }) => {
    const found = await findDelivery(db, accountId, deliveryId);
    if (found === null) throw serviceError('delivery_not_found');
    return { delivery: toDelivery(found), attempts: attemptsOf(found), body: found.body };
  },
);
