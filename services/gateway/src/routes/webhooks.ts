import {
  createWebhookSecret,
  type Delivery,
  serviceError,
  uuid,
  type Webhook,
  webhookDispatcher,
} from '@tds/contracts';
import { type deliveryBody, routes } from '@tds/http-api';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { listPage } from './list-page.ts';
import { answersOf } from './route-answer.ts';
import { callRoute, type Input, onRoute } from './route-handler.ts';

/** The delivery id in the path. An invalid id answers like an unknown one. */
const deliveryIdOf = ({ params }: { readonly params: Readonly<Record<string, string>> }): string => {
  const id = uuid.safeParse(params.deliveryId);
  if (!id.success) throw serviceError('delivery_not_found');
  return id.data;
};

const toWebhookBody = (webhook: Webhook) => ({
  url: webhook.url,
  low_balance_threshold: webhook.lowBalanceThreshold,
  enabled: webhook.enabled,
  disabled_reason: webhook.disabledReason,
  disabled_at: webhook.disabledAt,
  created_at: webhook.createdAt,
  updated_at: webhook.updatedAt,
  updated_by_key_id: webhook.updatedByKeyId,
});

const toDeliveryBody = (delivery: Delivery): z.input<typeof deliveryBody> => ({
  id: delivery.id,
  event_id: delivery.eventId,
  event: delivery.event,
  status: delivery.status,
  url: delivery.url,
  job_id: delivery.jobId,
  monitor_id: delivery.monitorId,
  resent_from: delivery.resentFrom,
  replaced_by: delivery.replacedBy,
  attempt_count: delivery.attemptCount,
  next_attempt_at: delivery.nextAttemptAt,
  created_at: delivery.createdAt,
  ended_at: delivery.endedAt,
});

type Parts = Pick<Deps, 'call' | 'webhookSeals'>;
type WebhookInput = Pick<Input<typeof routes.putWebhook>, 'body' | 'principal' | 'callContext'>;

/** Creates the secret here and sends it sealed; the answer shows it if the dispatcher took it. */
const configure = async ({ call, webhookSeals }: Parts, { body, principal, callContext }: WebhookInput) => {
  const { accountId, keyId } = principal;
  const secret = createWebhookSecret();
  const request = {
    accountId,
    keyId,
    url: body.url,
    lowBalanceThreshold: body.low_balance_threshold ?? null,
    rotateSecret: body.rotate_secret,
    sealedSecret: webhookSeals.seal(secret, accountId),
  };
  const { webhook, isSecretTaken } = await call(webhookDispatcher.putWebhook, request, callContext);
  return { webhook: toWebhookBody(webhook), ...(isSecretTaken && { webhook_secret: secret }) };
};

const putWebhook = onRoute(routes.putWebhook, async (parts: Parts, input) =>
  answersOf(routes.putWebhook).json(await configure(parts, input)),
);

export const putInAccount = onRoute(routes.putInAccount, async (parts: Parts, input) =>
  answersOf(routes.putInAccount).json(await configure(parts, input)),
);

type Owner = { readonly principal: { readonly accountId: string; readonly keyId: string | null } };
type Query = Input<typeof routes.listDeliveries>['query'];

const owner = ({ principal: { accountId } }: Owner) => ({ accountId });
const owned = (input: Owner & Parameters<typeof deliveryIdOf>[0]) => ({
  ...owner(input),
  deliveryId: deliveryIdOf(input),
});

const filtersOf = ({ status, event, job_id: jobId, monitor_id: monitorId }: Query) => ({
  ...(status === undefined ? {} : { status }),
  ...(event === undefined ? {} : { event }),
  ...(jobId === undefined ? {} : { jobId }),
  ...(monitorId === undefined ? {} : { monitorId }),
});

export const webhookRoutes = {
  putWebhook,

  getWebhook: callRoute(routes.getWebhook, {
    request: owner,
    body: ({ webhook }) => ({ webhook: webhook && toWebhookBody(webhook) }),
  }),

  deleteWebhook: callRoute(routes.deleteWebhook, {
    request: ({ principal: { accountId, keyId } }) => ({ accountId, keyId }),
    body: ({ isDeleted }) => ({ deleted: isDeleted }),
  }),

  sendTestEvent: callRoute(routes.sendTestEvent, {
    request: owner,
    body: ({ delivery }) => ({ delivery: toDeliveryBody(delivery) }),
  }),

  listDeliveries: callRoute(routes.listDeliveries, {
    request: (input) => ({
      ...owner(input),
      ...filtersOf(input.query),
      limit: input.query.limit,
      offset: input.query.offset,
    }),
    body: ({ deliveries, total }, { query }) => ({
      deliveries: deliveries.map(toDeliveryBody),
      ...listPage(routes.listDeliveries, query, { shown: deliveries.length, total }),
    }),
  }),

  getDelivery: callRoute(routes.getDelivery, {
    request: owned,
    body: ({ delivery, attempts, body }) => ({ delivery: toDeliveryBody(delivery), attempts, body }),
  }),

  resendDelivery: callRoute(routes.resendDelivery, {
    request: owned,
    body: ({ delivery }) => ({ delivery: toDeliveryBody(delivery) }),
  }),
};
