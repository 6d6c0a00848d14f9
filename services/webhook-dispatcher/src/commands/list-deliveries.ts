import { webhookDispatcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { countDeliveries, findDeliveries, toDelivery } from '../store/delivery-views.ts';

export const listDeliveries = onCommand(
  webhookDispatcher.listDeliveries,
  async ({ db }: Pick<Deps, 'db'>, wanted) => {
    const [found, total] = await Promise.all([findDeliveries(db, wanted), countDeliveries(db, wanted)]);
    return { deliveries: found.map(toDelivery), total };
  },
);
