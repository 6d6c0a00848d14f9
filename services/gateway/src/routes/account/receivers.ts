import { createWebhookSecret, type Receiver, webhookDispatcher } from '@tds/contracts';
import { routes } from '@tds/http-api';
import { createAnswers, onRoute } from '../serve/index.ts';

type Taken = { readonly receiver: Receiver; readonly isSecretTaken: boolean };

/** The secret is created here; the answer shows it if the dispatcher took it. */
const toBody = ({ receiver, isSecretTaken }: Taken, secret: string) => ({
  receiver,
  ...(isSecretTaken && { receiver_secret: secret }),
});

/** Address and secret leave encrypted: that of a chat service is one. */
const createReceiver = onRoute(
  routes.createReceiver,
  async ({ call, webhookCipher }, { body, principal, callContext }) => {
    const { accountId, keyId } = principal;
    const { url, named_only: namedOnly, ...fields } = body;
    const secret = createWebhookSecret();
    const encrypted = {
      sealedUrl: webhookCipher.encrypt(url, accountId),
      sealedSecret: webhookCipher.encrypt(secret, accountId),
    };
    const request = { accountId, keyId, namedOnly, ...fields, ...encrypted };
    const taken = await call(webhookDispatcher.createReceiver, request, callContext);
    return createAnswers(routes.createReceiver).json(toBody(taken, secret));
  },
);

const changeReceiver = onRoute(
  routes.changeReceiver,
  async ({ call, webhookCipher }, { body, params, principal, callContext }) => {
    const { accountId, keyId } = principal;
    const { url, rotate_secret: rotateSecret = false, named_only: namedOnly, ...fields } = body;
    const secret = createWebhookSecret();
    const request = {
      ...{ accountId, keyId, ...params, ...fields, namedOnly, rotateSecret },
      ...(url !== undefined && { sealedUrl: webhookCipher.encrypt(url, accountId) }),
      sealedSecret: webhookCipher.encrypt(secret, accountId),
    };
    const taken = await call(webhookDispatcher.changeReceiver, request, callContext);
    return createAnswers(routes.changeReceiver).json(toBody(taken, secret));
  },
);

export const receiverRoutes = { createReceiver, changeReceiver };
