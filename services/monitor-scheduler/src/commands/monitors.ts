import { identity, type Monitor, monitorScheduler, type RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { type CallContext, onCommand } from '@tds/kit';
import type { Sender } from '@tds/messaging';
import { assertFetched, cancelAndEmit, checkReceivers, checkWords } from '../application/monitors.ts';
import type { Deps } from '../deps.ts';
import { storedId } from '../domain/ids.ts';
import { lockAccount } from '../store/accounts.ts';
import type { Db } from '../store/database.ts';
import { resumeWithKey, saveSettings } from '../store/monitor-turns.ts';
import { countAllMonitors, findMonitor, findMonitors, findMonitorVideos } from '../store/monitor-views.ts';
import type { Surface } from '../surface.ts';

type Owned = { readonly accountId: string; readonly monitorId: string };
/** Throws `monitor_not_found` for text that is the id of no monitor. */
const requireId = (monitorId: string): string => {
  const id = storedId(monitorId);
  if (id === null) throw serviceError('monitor_not_found');
  return id;
};

/** Throws `monitor_not_found`. */
const readMonitor = async (db: Db, { accountId, monitorId }: Owned) => {
  const monitor = await findMonitor(db, accountId, requireId(monitorId));
  if (monitor === null) throw serviceError('monitor_not_found');
  return monitor;
};

export const listMonitors = onCommand(
  monitorScheduler.listMonitors,
  async ({ db }: Deps, { accountId, limit, offset }) => ({
    monitors: await findMonitors(db, accountId, { limit, offset }),
    total: await countAllMonitors(db, accountId),
  }),
);

export const getMonitor = onCommand(monitorScheduler.getMonitor, async ({ db }: Deps, monitor) => ({
  monitor: await readMonitor(db, monitor),
}));

export const listMonitorVideos = onCommand(
  monitorScheduler.listMonitorVideos,
  async ({ db }: Deps, { accountId, monitorId, ...page }) => {
    const videos = await findMonitorVideos(db, { accountId, id: requireId(monitorId) }, page);
    if (videos === null) throw serviceError('monitor_not_found');
    return videos;
  },
);

export const resumeMonitor = onCommand(
  monitorScheduler.resumeMonitor,
  async ({ db, messaging }: Deps, { keyId, ...owned }) => {
    const monitor = { accountId: owned.accountId, id: requireId(owned.monitorId) };
    await messaging.transaction(db, (tx) => resumeWithKey(tx, monitor, keyId));
    return { monitor: await readMonitor(db, owned) };
  },
);

type Asked = Owned & { readonly keyId?: string | null | undefined };

/**
 * Runs `work` in a transaction in which the monitor is one that the asking key may change. Throws `monitor_not_found` or
 * `begun_by_another_key`.
 */
const changeOwn = async (
  deps: Deps,
  asked: Asked,
  context: CallContext,
  work: (tx: Db, send: Sender<Surface>, id: string) => Promise<unknown>,
): Promise<{ monitor: Monitor }> => {
  const { accountId, monitorId, keyId } = asked;
  const { key_id: begunBy } = await readMonitor(deps.db, asked);
  if (keyId && keyId !== begunBy)
    await deps.call(identity.checkOwnWork, { accountId, keyId, begunBy }, context);
  const monitor = await deps.messaging.transaction(deps.db, async (tx, send) => {
    await lockAccount(tx, accountId);
    if ((await readMonitor(tx, asked)).key_id !== begunBy) return null;
    await work(tx, send, requireId(monitorId));
    return readMonitor(tx, asked);
  });
  // Another key has it by now.
  return monitor === null ? changeOwn(deps, asked, context, work) : { monitor };
};

type Changes = Omit<RequestOf<typeof monitorScheduler.changeMonitor>, keyof Asked>;

/** The settings of a monitor with these changes. Throws `words_need_auto_fetch`. */
const mergeSettings = async (db: Db, monitor: Owned, changes: Changes) => {
  const before = await readMonitor(db, monitor);
  const { autoFetch = before.auto_fetch, words = before.words ?? [], mail = before.mail ?? 'none' } = changes;
  const { mailOnlyMatches = before.mail_only_matches ?? false } = changes;
  assertFetched({ autoFetch, words });
  return { autoFetch, words, mail, mailOnlyMatches, receivers: changes.receivers ?? before.receivers ?? [] };
};

export const changeMonitor = onCommand(
  monitorScheduler.changeMonitor,
  async (deps: Deps, { accountId, monitorId, keyId, ...changes }, context) => {
    const owned = { accountId, monitorId };
    await checkWords(deps, await mergeSettings(deps.db, owned, changes), context);
    await checkReceivers(deps, { accountId, receivers: changes.receivers }, context);
    return changeOwn(deps, { ...owned, keyId }, context, async (tx, send, id) => {
      const settings = await mergeSettings(tx, owned, changes);
      const saved = await saveSettings(tx, { accountId, id }, { ...settings, keyId });
      if (saved !== null) await send.emit(monitorScheduler.monitorChanged, { ...owned, ...settings, ...saved });
    });
  },
);

export const cancelMonitor = onCommand(monitorScheduler.cancelMonitor, (deps: Deps, asked, context) =>
  changeOwn(deps, asked, context, (tx, send, id) =>
    cancelAndEmit(tx, send, { accountId: asked.accountId, id }),
  ),
);
