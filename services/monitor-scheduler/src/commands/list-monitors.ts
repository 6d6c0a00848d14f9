import { MOST_LISTED_MONITORS, monitorScheduler } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { countAllMonitors, findMonitors } from '../store/monitor-views.ts';

export const listMonitors = onCommand(
  monitorScheduler.listMonitors,
  async ({ db }: Pick<Deps, 'db'>, { accountId, offset }) => ({
    monitors: await findMonitors(db, accountId, { most: MOST_LISTED_MONITORS - offset, offset }),
    total: await countAllMonitors(db, accountId),
  }),
);
