import { monitorScheduler } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { countAllMonitors, findMonitors } from '../store/monitor-views.ts';

export const listMonitors = onCommand(
  monitorScheduler.listMonitors,
  async ({ db }: Pick<Deps, 'db'>, { accountId, limit, offset }) => ({
    monitors: await findMonitors(db, accountId, { most: limit, offset }),
    total: await countAllMonitors(db, accountId),
  }),
);
