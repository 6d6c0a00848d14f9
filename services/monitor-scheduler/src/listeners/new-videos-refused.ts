import { webhookDispatcher } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { storedId } from '../domain/monitor-id.ts';
import { followWebhook } from '../store/accounts.ts';
import { tellAgain, wakeMonitorsOfAccount } from '../store/monitor-turns.ts';

/** The webhook was gone before this was heard: the videos are news again, for when there is one. */
export const newVideosRefused = onEvent(
  webhookDispatcher.newVideosRefused,
  ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, { accountId, monitorId, after, version }, context) =>
    messaging.transaction(db, (tx) =>
      context.once(tx, async () => {
        await followWebhook(tx, accountId, { hasWebhook: false, version });
        const id = storedId(monitorId);
        if (id !== null) await tellAgain(tx, { accountId, id }, after);
        await wakeMonitorsOfAccount(tx, accountId);
      }),
    ),
);
