import { creditsLedger, identity, webhookDispatcher } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import { cancelAndTell } from './application/monitors.ts';
import type { Deps } from './deps.ts';
import { storedId } from './domain/ids.ts';
import { followWebhook as follow, followWebhook, lockAccount, useWebhook } from './store/accounts.ts';
import {
  tellAgain,
  wakeErrandsOfAccount,
  wakeForCredits,
  wakeMonitorsOfAccount,
} from './store/monitor-turns.ts';
import { activeMonitorsOf } from './store/monitors.ts';

type Told = { readonly accountId: string; readonly version: number };

/**
 * An account has a webhook, or has none that is enabled any more: its monitors go on, or wait. Either says that it had one for them, so
 * that the order in which both are heard changes nothing. Hearing it twice is hearing it once.
 */
const followWebhookChange = (
  { db, messaging }: Pick<Deps, 'db' | 'messaging'>,
  { accountId, version }: Told,
  hasWebhook: boolean,
): Promise<void> =>
  messaging.transaction(db, async (tx) => {
    if (!(await follow(tx, accountId, { hasWebhook, version }))) return;
    await useWebhook(tx, accountId);
    await wakeMonitorsOfAccount(tx, accountId);
  });

export const webhookConfigured = onEvent(webhookDispatcher.webhookConfigured, (deps: Deps, told) =>
  followWebhookChange(deps, told, true),
);

export const webhookRemoved = onEvent(webhookDispatcher.webhookRemoved, (deps: Deps, told) =>
  followWebhookChange(deps, told, false),
);

export const webhookDisabled = onEvent(webhookDispatcher.webhookDisabled, (deps: Deps, told) =>
  followWebhookChange(deps, told, false),
);

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

/** What waits for credits is tried again; whether they are enough, the job says. Waking twice is waking once. */
export const creditsGranted = onEvent(
  creditsLedger.creditsGranted,
  ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, { accountId }) =>
    messaging.transaction(db, (tx) => wakeForCredits(tx, accountId)),
);

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

/** Identity is asked for the tier of now, so neither order nor number of these events counts. */
export const accountTierChanged = onEvent(
  identity.accountTierChanged,
  ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, { accountId }) =>
    messaging.transaction(db, (tx) => wakeErrandsOfAccount(tx, accountId)),
);
