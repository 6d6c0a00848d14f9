import { createWebhookSecret, uuid, webhookDispatcher } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import type { Deps } from '../deps.ts';
import { answersOf, listPage } from './route-answer.ts';
import { callRoute, type Input, onRoute } from './route-handler.ts';

/** The delivery id in the path. An invalid id answers like an unknown one. */
const deliveryIdOf = ({ params }: { readonly params: Readonly<Record<string, string>> }): string => {
  const id = uuid.safeParse(params.deliveryId);
  if (!id.success) throw serviceError('delivery_not_found');
  return id.data;
};

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
  return { webhook, ...(isSecretTaken && { webhook_secret: secret }) };
};

const putWebhook = onRoute(routes.putWebhook, async (parts: Parts, input) =>
  answersOf(routes.putWebhook).json(await configure(parts, input)),
);

export const putInAccount = onRoute(routes.putInAccount, async (parts: Parts, input) =>
  answersOf(routes.putInAccount).json(await configure(parts, input)),
);

type Owner = { readonly principal: { readonly accountId: string; readonly keyId: string | null } };

const owner = ({ principal: { accountId } }: Owner) => ({ accountId });
const owned = (input: Owner & Parameters<typeof deliveryIdOf>[0]) => ({
  ...owner(input),
  deliveryId: deliveryIdOf(input),
});

export const webhookRoutes = {
  putWebhook,

  getWebhook: callRoute(routes.getWebhook, { request: owner }),

  deleteWebhook: callRoute(routes.deleteWebhook, {
    request: ({ principal: { accountId, keyId } }) => ({ accountId, keyId }),
    body: ({ isDeleted }) => ({ deleted: isDeleted }),
  }),

  sendTestEvent: callRoute(routes.sendTestEvent, { request: owner }),

  listDeliveries: callRoute(routes.listDeliveries, {
    request: ({ principal: { accountId }, query }) => {
      const { job_id: jobId, monitor_id: monitorId, ...filters } = query;
      return { accountId, jobId, monitorId, ...filters };
    },
    body: ({ deliveries, total }, { query }) => ({
      deliveries,
      ...listPage(routes.listDeliveries, query, { shown: deliveries.length, total }),
    }),
  }),

  getDelivery: callRoute(routes.getDelivery, { request: owned }),

  resendDelivery: callRoute(routes.resendDelivery, { request: owned }),
};
