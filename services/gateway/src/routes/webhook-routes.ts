import { routes, webhookDispatcher } from '@tds/contracts';
import { callRoute } from './call-route.ts';
import { listPage } from './list-page.ts';
import { putWebhook } from './put-webhook.ts';
import type { Input } from './route-handler.ts';
import { deliveryIdOf, toDeliveryBody, toWebhookBody } from './webhook-bodies.ts';

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

  getWebhook: callRoute(routes.getWebhook, webhookDispatcher.getWebhook, {
    request: owner,
    body: ({ webhook }) => ({ webhook: webhook && toWebhookBody(webhook) }),
  }),

  deleteWebhook: callRoute(routes.deleteWebhook, webhookDispatcher.deleteWebhook, {
    request: ({ principal: { accountId, keyId } }) => ({ accountId, keyId }),
    body: ({ isDeleted }) => ({ deleted: isDeleted }),
  }),

  sendTestEvent: callRoute(routes.sendTestEvent, webhookDispatcher.sendTestEvent, {
    request: owner,
    body: ({ delivery }) => ({ delivery: toDeliveryBody(delivery) }),
  }),

  listDeliveries: callRoute(routes.listDeliveries, webhookDispatcher.listDeliveries, {
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

  getDelivery: callRoute(routes.getDelivery, webhookDispatcher.getDelivery, {
    request: owned,
    body: ({ delivery, attempts, body }) => ({ delivery: toDeliveryBody(delivery), attempts, body }),
  }),

  resendDelivery: callRoute(routes.resendDelivery, webhookDispatcher.resendDelivery, {
    request: owned,
    body: ({ delivery }) => ({ delivery: toDeliveryBody(delivery) }),
  }),
};
