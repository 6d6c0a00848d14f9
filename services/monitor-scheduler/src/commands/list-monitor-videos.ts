import { monitorScheduler, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { storedId } from '../domain/monitor-id.ts';
import { findMonitorVideos } from '../store/monitor-views.ts';

export const listMonitorVideos = onCommand(
  monitorScheduler.listMonitorVideos,
  async ({ db }: Pick<Deps, 'db'>, { accountId, monitorId, limit, offset }) => {
    const id = storedId(monitorId);
    const page = id && (await findMonitorVideos(db, { accountId, id }, { limit, offset }));
    if (!page) throw serviceError('monitor_not_found');
    return page;
  },
);
