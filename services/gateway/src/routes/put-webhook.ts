import { createWebhookSecret, routes, webhookDispatcher } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { answersOf } from './route-answer.ts';
import { type Input, onRoute } from './route-handler.ts';
import { toWebhookBody } from './webhook-bodies.ts';

type Parts = Pick<Deps, 'call' | 'webhookSeals'>;
type WebhookInput = Pick<Input<typeof routes.putWebhook>, 'body' | 'principal' | 'callContext'>;

/** The secret is made here, leaves sealed, and is shown where it was taken. */
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

export const putWebhook = onRoute(routes.putWebhook, async (parts: Parts, input) =>
  answersOf(routes.putWebhook).json(await configure(parts, input)),
);

export const putInAccount = onRoute(routes.putInAccount, async (parts: Parts, input) =>
  answersOf(routes.putInAccount).json(await configure(parts, input)),
);
