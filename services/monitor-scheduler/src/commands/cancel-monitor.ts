import { monitorScheduler, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { cancelAndTell } from '../application/cancel.ts';
import type { Deps } from '../deps.ts';
import { storedId } from '../domain/monitor-id.ts';
import { lockAccount } from '../store/accounts.ts';
import { findMonitor } from '../store/monitor-views.ts';

export const cancelMonitor = onCommand(
  monitorScheduler.cancelMonitor,
  async ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, { accountId, monitorId }) => {
    const id = storedId(monitorId);
    if (id === null) throw serviceError('monitor_not_found');
    const monitor = await messaging.transaction(db, async (tx, send) => {
      await lockAccount(tx, accountId);
      await cancelAndTell(tx, send, { accountId, id });
      return findMonitor(tx, accountId, id);
    });
    if (monitor === null) throw serviceError('monitor_not_found');
    return { monitor };
  },
);
