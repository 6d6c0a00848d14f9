import { monitorScheduler, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { storedId } from '../domain/monitor-id.ts';
import { findMonitor } from '../store/monitor-views.ts';

export const getMonitor = onCommand(
  monitorScheduler.getMonitor,
  async ({ db }: Pick<Deps, 'db'>, { accountId, monitorId }) => {
    const id = storedId(monitorId);
    const monitor = id && (await findMonitor(db, accountId, id));
    if (!monitor) throw serviceError('monitor_not_found');
    return { monitor };
  },
);
