import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import {
  SECOND_MS,
  timeOfId,
  WEBHOOK_API_VERSION,
  type WebhookData,
  type WebhookKind,
  webhookBody,
  webhookSecretBytes,
} from '@tds/contracts';

/** An event to deliver. */
export type WebhookEvent<Kind extends WebhookKind = WebhookKind> = {
  readonly id: string;
  readonly accountId: string;
  readonly kind: Kind;
  readonly data: WebhookData<Kind>;
  /** When it was emitted; by default the time in its id. A redelivered event keeps it, so its body is the same. */
  readonly at?: Date;
  /** Replaces the URL of the account's webhook. */
  readonly overrideUrl?: string | null;
  /** The key that gave that URL. */
  readonly overrideKeyId?: string | null | undefined;
  readonly job?: { readonly id: string; readonly version: number };
  /** The receivers that alone get it; none: all that are not for what names them. */
  readonly receiverIds?: readonly string[] | undefined;
  readonly monitorId?: string | null;
};

/** The body, the same for every attempt. Parsing removes fields that the public schema does not have. */
export const eventBody = ({
  id,
  at = timeOfId(id),
  kind,
  data,
}: Pick<WebhookEvent, 'id' | 'at' | 'kind' | 'data'>): string =>
  JSON.stringify(
    webhookBody(kind).parse({
      id,
      type: kind,
      created_at: at.toISOString(),
      api_version: WEBHOOK_API_VERSION,
      data,
    }),
  );

/** One secret, as the key of each signature. */
export type SigningKeys = { readonly ours: KeyObject; readonly standard: KeyObject };

export const toSigningKeys = (secret: string): SigningKeys => ({
  ours: createSecretKey(secret, 'utf8'),
  standard: createSecretKey(webhookSecretBytes(secret)),
});

const USER_AGENT = 'Transcript-Delivery-Service-Webhooks/1';

/** Of a message to a chat service. Teams counts the bytes of a body twice if its character set is not named. */
export const MESSAGE_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'user-agent': USER_AGENT,
} as const;

type AttemptedWebhook = {
  readonly deliveryId: string;
  readonly kind: WebhookKind;
  readonly body: string;
  readonly keys: SigningKeys;
  readonly at: Date;
};

/** The headers of one attempt: our own, and those of Standard Webhooks for its verification libraries. */
export const webhookHeaders = ({
  deliveryId,
  kind,
  body,
  keys,
  at,
}: AttemptedWebhook): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / SECOND_MS));
  const ours = createHmac('sha256', keys.ours).update(`${timestamp}.${body}`).digest('hex');
  const standard = createHmac('sha256', keys.standard)
    .update(`${deliveryId}.${timestamp}.${body}`)
    .digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'x-service-event': kind,
    'x-service-delivery': deliveryId,
    'x-service-timestamp': timestamp,
    'x-service-signature': `v1=${ours}`,
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
  };
};
