import type { Deps } from '../deps.ts';
import { followWebhook as follow, useWebhook } from '../store/accounts.ts';
import { wakeMonitorsOfAccount } from '../store/monitor-turns.ts';

type Told = { readonly accountId: string; readonly version: number };

/** An account has a webhook, or has none that is enabled: its monitors go on, or wait. Hearing it twice is hearing it once. */
export const followWebhook = (
  { db, messaging }: Pick<Deps, 'db' | 'messaging'>,
  { accountId, version }: Told,
  hasWebhook: boolean,
): Promise<void> =>
  messaging.transaction(db, async (tx) => {
    if (!(await follow(tx, accountId, { hasWebhook, version }))) return;
    if (hasWebhook) await useWebhook(tx, accountId);
    await wakeMonitorsOfAccount(tx, accountId);
  });
