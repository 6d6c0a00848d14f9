import {
  DELIVERIES_BY_DEFAULT,
  delivery,
  deliveryStatus,
  MAX_DELIVERIES_PER_PAGE,
  MAX_DELIVERIES_SKIPPED,
  MAX_LOW_BALANCE_THRESHOLD,
  MAX_WEBHOOK_URL_LENGTH,
  monitorId,
  uuid,
  webhook,
  webhookDispatcher,
  webhookKind,
} from '@tds/contracts';
import { z } from 'zod';
import { pageBody, pageFields, pathId } from '../common-fields.ts';
import { defineRoutes, field, okAnswer, okBody } from '../define-route.ts';

export const webhookAnswer = okBody('WebhookConfigured', {
  webhook,
  webhook_secret: z
    .string()
    .optional()
    .describe('whsec_...; present only if a secret was issued, at creation and at each rotation. Shown once'),
});

/** Fields of a webhook, wherever it is configured. */
export const webhookFields = {
  url: field(
    z.string().min(1).max(MAX_WEBHOOK_URL_LENGTH),
    'webhook_url_invalid',
    'The URL that receives events: public https without credentials, port 443 or 8443',
  ),
  low_balance_threshold: field(
    z.number().int().min(1).max(MAX_LOW_BALANCE_THRESHOLD).nullish(),
    'webhook_threshold_invalid',
    'credits.low is sent when fewer credits are available; null or omitted: never',
  ),
  rotate_secret: field(
    z.boolean().default(false),
    'invalid_rotate_secret',
    'true issues a new secret. Deliveries in progress keep their secret',
  ),
};

export const webhookDeleted = okBody('WebhookDeleted', {
  deleted: z.boolean().describe('false if there was none'),
});
const oneDelivery = okBody('DeliveryResponse', { delivery });
const params = { deliveryId: pathId('delivery', 'delivery_not_found') };

export const webhookRoutes = defineRoutes('Webhooks', {
  getWebhook: {
    method: 'GET',
    path: '/v1/webhooks',
    calls: [webhookDispatcher.getWebhook],
    access: 'key-or-session',
    summary: 'Get the webhook of the account, without its secret',
    responses: {
      200: okAnswer('The webhook; null if there is none', 'WebhookResponse', { webhook: webhook.nullable() }),
    },
  },

  putWebhook: {
    method: 'PUT',
    path: '/v1/webhooks',
    calls: [webhookDispatcher.putWebhook],
    access: 'key-or-session',
    summary: 'Create or replace the webhook of the account, and enable it',
    description:
      'It replaces everything but the secret, which stays unless rotate_secret is true. A delivery succeeds with a 2xx whose whole body, of 64 KiB at most, arrives within ten seconds; else it is tried again after 1 minute, 10 minutes, 2 hours and 11 hours, and a little more. If every attempt of five days fails, on three of them at least, the webhook is disabled (failing) and the owner is mailed. Addresses of private networks are webhook_url_private in every notation. credits.low is sent once, until the account has reached the threshold again; credits that are only held do not count.',
    body: webhookFields,
    responses: { 200: { description: 'The webhook', schema: webhookAnswer } },
  },

  sendTestEvent: {
    method: 'POST',
    path: '/v1/webhooks/test',
    calls: [webhookDispatcher.sendTestEvent],
    outcomeAt: '/v1/webhooks/deliveries',
    access: 'key-or-session',
    startsWork: true,
    summary: 'Send a webhook.test event to the webhook',
    responses: { 202: { description: 'The delivery of the event', schema: oneDelivery } },
  },

  listDeliveries: {
    method: 'GET',
    path: '/v1/webhooks/deliveries',
    calls: [webhookDispatcher.listDeliveries],
    access: 'key-or-session',
    summary: 'List the deliveries of the last 30 days, newest first',
    description:
      'An event of an account without a webhook is not sent later; one of a disabled webhook is a failed delivery without attempts, which can be sent again. Events of one job that may leave at the same time leave by their version.',
    query: {
      ...pageFields(MAX_DELIVERIES_PER_PAGE, DELIVERIES_BY_DEFAULT, MAX_DELIVERIES_SKIPPED),
      status: field(deliveryStatus.optional(), 'invalid_delivery_status', 'Only items in this state'),
      event: field(webhookKind.optional(), 'invalid_webhook_event', 'Only events of this kind'),
      job_id: field(uuid.optional(), 'invalid_job_id', 'Only events of this job'),
      monitor_id: field(monitorId.optional(), 'invalid_monitor_id', 'Only events of this monitor'),
      receiver_id: field(uuid.optional(), 'invalid_receiver_id', 'Only deliveries to this receiver'),
    },
    responses: {
      200: okAnswer('A page of deliveries', 'DeliveryList', { deliveries: z.array(delivery), ...pageBody }),
    },
  },

  getDelivery: {
    method: 'GET',
    path: '/v1/webhooks/deliveries/{deliveryId}',
    calls: [webhookDispatcher.getDelivery],
    access: 'key-or-session',
    summary: 'Get a delivery with its attempts and its body',
    params,
    responses: {
      200: okAnswer('The delivery', 'DeliveryDetails', webhookDispatcher.getDelivery.reply.shape),
    },
  },

  resendDelivery: {
    method: 'POST',
    path: '/v1/webhooks/deliveries/{deliveryId}/resend',
    calls: [webhookDispatcher.resendDelivery],
    access: 'key-or-session',
    startsWork: true,
    summary: 'Resend the event of a delivery',
    params,
    description:
      'Creates a new delivery of the same body with its own attempts, signed with the current secret. Events of the account go to the current URL of the webhook, and so do those that were not sent because the key that gave their URL was revoked (key_revoked). One to a receiver goes to its current address. A delivery that has not ended is replaced and not attempted again. Test events, resends and new receivers together: at most 200 per day and account.',
    responses: { 202: { description: 'The new delivery', schema: oneDelivery } },
  },

  deleteWebhook: {
    method: 'DELETE',
    path: '/v1/webhooks',
    calls: [webhookDispatcher.deleteWebhook],
    access: 'key-or-session',
    summary: 'Delete the webhook of the account and its secret',
    description: 'Deliveries in progress are still sent, signed with the old secret.',
    responses: { 200: { description: 'Deleted', schema: webhookDeleted } },
  },
});
