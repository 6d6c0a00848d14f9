import { pick } from '@tds/base';
import { isChat } from '../domain/receiver-address.ts';
import { attemptsOf, type StoredDelivery } from '../store/deliveries.ts';
import type { LiveReceiver } from '../store/receivers.ts';
import type { WebhookTarget } from '../store/webhooks.ts';

/** What a delivery with the same body has of the one that it repeats. */
const repeat = (old: StoredDelivery, id: string) => ({
  id,
  ...pick(old, 'accountId', 'eventId', 'kind', 'body', 'jobId', 'monitorId', 'receiverId'),
  jobVersion: old.jobVersion === null ? null : Number(old.jobVersion),
  resentFrom: old.id,
});

/** A delivery with the same body, to the URL and with the secret that such an event has now. A URL may have ended with its key. */
export const repeatToWebhook = (old: StoredDelivery, webhook: WebhookTarget, id: string) => ({
  ...repeat(old, id),
  ...(old.isOverride && attemptsOf(old).at(-1)?.error !== 'key_revoked'
    ? { url: old.url, isOverride: true, keyId: old.keyId }
    : { url: webhook.url, isOverride: false, keyId: null }),
  secretId: webhook.secretId,
});

/** The same to the present address of its receiver. */
export const repeatToReceiver = (old: StoredDelivery, { url, secretId, form }: LiveReceiver, id: string) => ({
  ...repeat(old, id),
  ...{ url, secretId, isOverride: false, keyId: null },
  ...(isChat(form) && { atOnce: 1 }),
});
