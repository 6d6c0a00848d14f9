import { createWebhookSecret, webhookDispatcher } from '@tds/contracts';
import { routes } from '@tds/http-api';
import { callRoute, createAnswers, type Input, onRoute, type RouteDeps } from '../serve/index.ts';

type WebhookInput = Pick<Input<typeof routes.putWebhook>, 'body' | 'principal' | 'callContext'>;

/** Creates the secret here and sends it encrypted; the answer shows it if the dispatcher took it. */
const configure = async (
  { call, webhookCipher }: RouteDeps,
  { body, principal, callContext }: WebhookInput,
) => {
  const { accountId, keyId } = principal;
  const secret = createWebhookSecret();
  const request = {
    accountId,
    keyId,
    url: body.url,
    lowBalanceThreshold: body.low_balance_threshold ?? null,
    rotateSecret: body.rotate_secret,
    sealedSecret: webhookCipher.encrypt(secret, accountId),
  };
  const { webhook, isSecretTaken } = await call(webhookDispatcher.putWebhook, request, callContext);
  return { webhook, ...(isSecretTaken && { webhook_secret: secret }) };
};

const putWebhook = onRoute(routes.putWebhook, async (deps, input) =>
  createAnswers(routes.putWebhook).json(await configure(deps, input)),
);

export const putInAccount = onRoute(routes.putInAccount, async (deps, input) =>
  createAnswers(routes.putInAccount).json(await configure(deps, input)),
);

const deleteWebhook = callRoute(routes.deleteWebhook, {
  body: ({ isDeleted }) => ({ deleted: isDeleted }),
});

export const webhookRoutes = { putWebhook, deleteWebhook };
