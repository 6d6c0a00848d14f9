import type { Answer, Body, Delivery, Query, Webhook } from '../api.ts';
import type { Connection, RequestOptions } from '../connection.ts';
import { createList, type Pages } from '../pages.ts';

const path = '/v1/webhooks';
const at = (deliveryId: string) => `${path}/deliveries/${encodeURIComponent(deliveryId)}`;

export const webhooks = (connection: Connection) => ({
  /** The webhook of the account; null if there is none. */
  get: async (options: RequestOptions = {}): Promise<Webhook | null> =>
    (await connection.json<Answer<'getWebhook'>>({ ...options, path })).webhook,

  /** Creates or replaces the webhook. `webhook_secret` is present only if a secret was issued, and shown once. */
  set: (body: Body<'putWebhook'>, options: RequestOptions = {}): Promise<Answer<'putWebhook'>> =>
    connection.json({ ...options, method: 'PUT', path, body }),

  /** Resolves to false if there was none. */
  delete: async (options: RequestOptions = {}): Promise<boolean> =>
    (await connection.json<Answer<'deleteWebhook'>>({ ...options, method: 'DELETE', path })).deleted,

  /** Sends a webhook.test event. */
  test: async (options: RequestOptions = {}): Promise<Delivery> =>
    (
      await connection.json<Answer<'sendTestEvent', 202>>({
        ...options,
        method: 'POST',
        path: `${path}/test`,
      })
    ).delivery,

  /** The deliveries of the last 30 days, newest first. */
  deliveries: (
    options: Query<'listDeliveries'> & RequestOptions = {},
  ): Pages<Delivery, Answer<'listDeliveries'>> =>
    createList(connection, `${path}/deliveries`, 'deliveries', options),

  /** A delivery with its attempts and its body. */
  delivery: (id: string, options: RequestOptions = {}): Promise<Answer<'getDelivery'>> =>
    connection.json({ ...options, path: at(id) }),

  resend: async (id: string, options: RequestOptions = {}): Promise<Delivery> =>
    (
      await connection.json<Answer<'resendDelivery', 202>>({
        ...options,
        method: 'POST',
        path: `${at(id)}/resend`,
      })
    ).delivery,
});
