import { identity } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import { cancelAndTell } from '../application/cancel.ts';
import type { Deps } from '../deps.ts';
import { lockAccount } from '../store/accounts.ts';
import { wakeMonitorsOfAccount } from '../store/monitor-turns.ts';
import { activeMonitorsOf } from '../store/monitors.ts';

/** A closed account watches nothing any more. A frozen one goes on watching; its jobs are tried again when it is active. */
export const accountStatusChanged = onEvent(
  identity.accountStatusChanged,
  ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, { accountId, status }, context) =>
    messaging.transaction(db, (tx, send) =>
      context.onceIfNewest(tx, async () => {
        await lockAccount(tx, accountId);
        if (status === 'active') return wakeMonitorsOfAccount(tx, accountId);
        if (status !== 'closed') return;
        for (const id of await activeMonitorsOf(tx, accountId))
          await cancelAndTell(tx, send, { accountId, id });
      }),
    ),
);
