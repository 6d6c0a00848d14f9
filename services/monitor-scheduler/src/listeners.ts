import {
  bulkOrchestrator,
  creditsLedger,
  firstWithin,
  identity,
  transcriptFetcher,
  webhookDispatcher,
} from '@tds/contracts';
import { onEvent, runIfNewest, runOnce } from '@tds/kit';
import { crashPoint } from '@tds/messaging';
import { cancelAndEmit } from './application/monitors.ts';
import type { Deps } from './deps.ts';
import { storedId } from './domain/ids.ts';
import { requestLostJob } from './recovery.ts';
import { lockAccount, saveWebhookChange } from './store/accounts.ts';
import {
  pauseForKey,
  reemitAfter,
  wakeActionsOfAccount,
  wakeForCredits,
  wakeMonitorsOfAccount,
} from './store/monitor-turns.ts';
import { findActiveMonitorIds, findWatches, useWebhook } from './store/monitors.ts';

type WebhookChange = { readonly accountId: string; readonly version: number };
/**
 * Resumes or pauses the monitors of an account. Every change shows that the account had a webhook, so its monitors use one from now on.
 * Changes may be repeated and reordered.
 */
const onWebhookChange =
  (hasWebhook: boolean) =>
  ({ db, messaging }: Deps, { accountId, version }: WebhookChange): Promise<void> =>
    messaging.transaction(db, async (tx) => {
      if (!(await saveWebhookChange(tx, accountId, { hasWebhook, version }))) return;
      await useWebhook(tx, accountId);
      await wakeMonitorsOfAccount(tx, accountId);
    });

export const webhookConfigured = onEvent(webhookDispatcher.webhookConfigured, onWebhookChange(true));
export const webhookRemoved = onEvent(webhookDispatcher.webhookRemoved, onWebhookChange(false));
export const webhookDisabled = onEvent(webhookDispatcher.webhookDisabled, onWebhookChange(false));

/** The dispatcher had no webhook for these videos: the monitor emits them again when there is one. */
export const newVideosRefused = onEvent(
  webhookDispatcher.newVideosRefused,
  (deps: Deps, { accountId, monitorId, after, version }, context) =>
    runOnce(deps, context, async (tx) => {
      await saveWebhookChange(tx, accountId, { hasWebhook: false, version });
      const id = storedId(monitorId);
      if (id !== null) await reemitAfter(tx, { accountId, id }, after);
      await wakeMonitorsOfAccount(tx, accountId);
    }),
);

/** Wakes monitors that lack credits; their next job shows whether there are enough. */
export const creditsGranted = onEvent(
  creditsLedger.creditsGranted,
  async ({ db, messaging }: Deps, { accountId }) => {
    await messaging.transaction(db, (tx) => wakeForCredits(tx, accountId));
  },
);

/** Cancels the monitors of a closed account. A frozen account keeps them; its jobs are retried when it is active. */
export const accountStatusChanged = onEvent(
  identity.accountStatusChanged,
  (deps: Deps, { accountId, status }, context) =>
    runIfNewest(deps, context, async (tx, send) => {
      await lockAccount(tx, accountId);
      if (status === 'active') return wakeMonitorsOfAccount(tx, accountId);
      if (status !== 'closed') return;
      for (const id of await findActiveMonitorIds(tx, accountId))
        await cancelAndEmit(tx, send, { accountId, id });
      await tx.readerFeed.deleteMany({ where: { accountId } });
    }),
);

/** The action reads the current tier from identity, so order and number of these events do not matter. */
export const accountTierChanged = onEvent(
  identity.accountTierChanged,
  async ({ db, messaging }: Deps, { accountId }) => {
    await messaging.transaction(db, (tx) => wakeActionsOfAccount(tx, accountId));
  },
);

/** Pauses the monitors of a key that was revoked at once, until another key resumes them. Idempotent. */
export const keyRevoked = onEvent(identity.keyRevoked, async ({ db }: Deps, { accountId, keyId, atOnce }) => {
  if (atOnce) await pauseForKey(db, accountId, keyId);
});

export const jobLost = onEvent(bulkOrchestrator.jobLost, requestLostJob);

/** What a message holds, with room to spare. */
const MAX_WATCHES_BYTES = 400_000;

/** Has a transcript matched with the present words of its monitors. If the fetcher is away, the event comes again. */
export const watchedTranscriptIndexed = onEvent(
  transcriptFetcher.watchedTranscriptIndexed,
  async ({ db, call }: Deps, { transcriptId, monitorIds }, context) => {
    let watches = await findWatches(
      db,
      monitorIds.flatMap((id) => storedId(id) ?? []),
    );
    const watching = new Set(watches.map(({ monitorId }) => monitorId));
    let idle = monitorIds.filter((id) => !watching.has(id));
    do {
      const page = firstWithin(watches, MAX_WATCHES_BYTES);
      watches = watches.slice(page.length);
      const ids = [...idle, ...page.map(({ monitorId }) => monitorId)];
      await call(transcriptFetcher.matchWords, { transcriptId, monitorIds: ids, watches: page }, context);
      crashPoint('words-matched');
      idle = [];
    } while (watches.length > 0);
  },
);
