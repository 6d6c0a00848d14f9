import { type Monitor, monitorScheduler, type RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { assertFetched, cancelAndEmit, checkWords } from '../application/monitors.ts';
import type { Deps } from '../deps.ts';
import { storedId } from '../domain/ids.ts';
import { lockAccount } from '../store/accounts.ts';
import type { Db } from '../store/database.ts';
import { resumeWithKey, saveSettings } from '../store/monitor-turns.ts';
import { countAllMonitors, findMonitor, findMonitors, findMonitorVideos } from '../store/monitor-views.ts';

type Owned = { readonly accountId: string; readonly monitorId: string };
type StoreDeps = Pick<Deps, 'db' | 'messaging'>;

/** Throws `monitor_not_found` for text that is the id of no monitor. */
const requireId = (monitorId: string): string => {
  const id = storedId(monitorId);
  if (id === null) throw serviceError('monitor_not_found');
  return id;
};

/** Throws `monitor_not_found`. */
const readMonitor = async (db: Db, { accountId, monitorId }: Owned): Promise<Monitor> => {
  const monitor = await findMonitor(db, accountId, requireId(monitorId));
  if (monitor === null) throw serviceError('monitor_not_found');
  return monitor;
};

export const listMonitors = onCommand(
  monitorScheduler.listMonitors,
  async ({ db }: Pick<Deps, 'db'>, { accountId, limit, offset }) => ({
    monitors: await findMonitors(db, accountId, { limit, offset }),
    total: await countAllMonitors(db, accountId),
  }),
);

export const getMonitor = onCommand(monitorScheduler.getMonitor, async ({ db }: Pick<Deps, 'db'>, monitor) => ({
  monitor: await readMonitor(db, monitor),
}));

export const listMonitorVideos = onCommand(
  monitorScheduler.listMonitorVideos,
  async ({ db }: Pick<Deps, 'db'>, { accountId, monitorId, ...page }) => {
    const videos = await findMonitorVideos(db, { accountId, id: requireId(monitorId) }, page);
    if (videos === null) throw serviceError('monitor_not_found');
    return videos;
  },
);

export const resumeMonitor = onCommand(
  monitorScheduler.resumeMonitor,
  async ({ db, messaging }: StoreDeps, { keyId, ...owned }) => {
    const monitor = { accountId: owned.accountId, id: requireId(owned.monitorId) };
    await messaging.transaction(db, (tx) => resumeWithKey(tx, monitor, keyId));
    return { monitor: await readMonitor(db, owned) };
  },
);

type Changes = Omit<RequestOf<typeof monitorScheduler.changeMonitor>, keyof Owned>;

/** The settings of a monitor with these changes. Throws `words_need_auto_fetch`. */
const mergeSettings = async (db: Db, monitor: Owned, changes: Changes) => {
  const before = await readMonitor(db, monitor);
  const { autoFetch = before.auto_fetch, words = before.words ?? [], mail = before.mail ?? 'none' } = changes;
  assertFetched({ autoFetch, words });
  return { autoFetch, words, mail };
};

export const changeMonitor = onCommand(
  monitorScheduler.changeMonitor,
  async (deps: Pick<Deps, 'db' | 'messaging' | 'call'>, { accountId, monitorId, ...changes }, context) => {
    const { db, messaging } = deps;
    const owned = { accountId, monitorId };
    await checkWords(deps, await mergeSettings(db, owned, changes), context);
    const monitor = await messaging.transaction(db, async (tx, send) => {
      await lockAccount(tx, accountId);
      const settings = await mergeSettings(tx, owned, changes);
      const changedAt = await saveSettings(tx, { accountId, id: requireId(monitorId) }, settings);
      if (changedAt !== null)
        await send.emit(monitorScheduler.monitorChanged, { ...owned, ...settings, changedAt });
      return readMonitor(tx, owned);
    });
    return { monitor };
  },
);

export const cancelMonitor = onCommand(
  monitorScheduler.cancelMonitor,
  async ({ db, messaging }: StoreDeps, { accountId, monitorId }) => {
    const id = requireId(monitorId);
    const monitor = await messaging.transaction(db, async (tx, send) => {
      await lockAccount(tx, accountId);
      await cancelAndEmit(tx, send, { accountId, id });
      return readMonitor(tx, { accountId, monitorId });
    });
    return { monitor };
  },
);
