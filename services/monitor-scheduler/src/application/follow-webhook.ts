import type { Deps } from '../deps.ts';
import { followWebhook as follow, useWebhook } from '../store/accounts.ts';
import { wakeMonitorsOfAccount } from '../store/monitor-turns.ts';

type Told = { readonly accountId: string; readonly version: number };

/**
 * An account has a webhook, or has none that is enabled any more: its monitors go on, or wait. Either says that it had one for them, so
 * that the order in which both are heard changes nothing. Hearing it twice is hearing it once.
 */
export const followWebhook = (
  { db, messaging }: Pick<Deps, 'db' | 'messaging'>,
  { accountId, version }: Told,
  hasWebhook: boolean,
): Promise<void> =>
  messaging.transaction(db, async (tx) => {
    if (!(await follow(tx, accountId, { hasWebhook, version }))) return;
    await useWebhook(tx, accountId);
    await wakeMonitorsOfAccount(tx, accountId);
  });
