import { monitorScheduler } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { cancelAndEmit } from '../application/monitors.ts';
import type { Deps } from '../deps.ts';
import { storedId } from '../domain/ids.ts';
import { lockAccount } from '../store/accounts.ts';
import { resumeWithKey } from '../store/monitor-turns.ts';
import { countAllMonitors, findMonitor, findMonitors, findMonitorVideos } from '../store/monitor-views.ts';

export const listMonitors = onCommand(
  monitorScheduler.listMonitors,
  async ({ db }: Pick<Deps, 'db'>, { accountId, limit, offset }) => ({
    monitors: await findMonitors(db, accountId, { limit, offset }),
    total: await countAllMonitors(db, accountId),
  }),
);

export const getMonitor = onCommand(
  monitorScheduler.getMonitor,
  async ({ db }: Pick<Deps, 'db'>, { accountId, monitorId }) => {
    const id = storedId(monitorId);
    const monitor = id && (await findMonitor(db, accountId, id));
    if (!monitor) throw serviceError('monitor_not_found');
    return { monitor };
  },
);

export const listMonitorVideos = onCommand(
  monitorScheduler.listMonitorVideos,
  async ({ db }: Pick<Deps, 'db'>, { accountId, monitorId, limit, offset }) => {
    const id = storedId(monitorId);
    const page = id && (await findMonitorVideos(db, { accountId, id }, { limit, offset }));
    if (!page) throw serviceError('monitor_not_found');
    return page;
  },
);

export const resumeMonitor = onCommand(
  monitorScheduler.resumeMonitor,
  async ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, { accountId, monitorId, keyId }) => {
    const id = storedId(monitorId);
    if (id !== null) await messaging.transaction(db, (tx) => resumeWithKey(tx, { accountId, id }, keyId));
    const monitor = id && (await findMonitor(db, accountId, id));
    if (!monitor) throw serviceError('monitor_not_found');
    return { monitor };
  },
);

export const cancelMonitor = onCommand(
  monitorScheduler.cancelMonitor,
  async ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, { accountId, monitorId }) => {
    const id = storedId(monitorId);
    if (id === null) throw serviceError('monitor_not_found');
    const monitor = await messaging.transaction(db, async (tx, send) => {
      await lockAccount(tx, accountId);
      await cancelAndEmit(tx, send, { accountId, id });
      return findMonitor(tx, accountId, id);
    });
    if (monitor === null) throw serviceError('monitor_not_found');
    return { monitor };
  },
);
