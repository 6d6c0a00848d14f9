import { webhookDispatcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { findDeliveries, toDelivery } from '../store/delivery-views.ts';

export const listDeliveries = onCommand(
  webhookDispatcher.listDeliveries,
  async ({ db }: Pick<Deps, 'db'>, wanted) => {
    const found = await findDeliveries(db, wanted);
    return { deliveries: found.slice(0, wanted.limit).map(toDelivery), hasMore: found.length > wanted.limit };
  },
);
