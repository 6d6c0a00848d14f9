import { webhookDispatcher } from '@tds/contracts';
import type { Fake } from '@tds/kit/testing';

/** What the dispatcher emits about the webhook of an account. */
export const fakeWebhook = (
  dispatcher: Pick<Fake<typeof webhookDispatcher>, 'emit'>,
  nextVersion: () => number,
) => ({
  configure: (accountId: string, at = nextVersion()) =>
    dispatcher.emit(webhookDispatcher.webhookConfigured, {
      accountId,
      lowBalanceThreshold: null,
      version: at,
    }),
  remove: (accountId: string, at = nextVersion()) =>
    dispatcher.emit(webhookDispatcher.webhookRemoved, { accountId, version: at }),
  refuse: (accountId: string, monitorId: string, after: number) =>
    dispatcher.emit(webhookDispatcher.newVideosRefused, {
      ...{ accountId, monitorId, after, version: nextVersion() },
    }),
  disable: (accountId: string) =>
    dispatcher.emit(webhookDispatcher.webhookDisabled, {
      accountId,
      host: 'a.example',
      version: nextVersion(),
    }),
});
