import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import {
  timeOf,
  WEBHOOK_API_VERSION,
  type WebhookData,
  type WebhookKind,
  webhookBody,
  webhookSecretBytes,
} from '@tds/contracts';

export type WebhookEvent<Kind extends WebhookKind = WebhookKind> = {
  readonly id: string;
  /** When it was emitted, so that its body is the same when it is heard again; the id says it unless this does. */
  readonly at?: Date;
  readonly kind: Kind;
  readonly data: WebhookData<Kind>;
};

/** The body as every attempt sends it. Parsed, so that what its description does not know never leaves. */
export const eventBody = ({ id, at = timeOf(id), kind, data }: WebhookEvent): string =>
  JSON.stringify(
    webhookBody(kind).parse({
      id,
      type: kind,
      created_at: at.toISOString(),
      api_version: WEBHOOK_API_VERSION,
      data,
    }),
  );

const MS = 1_000;

/** A secret as each way of signing takes it. */
export type SigningKeys = { readonly ours: KeyObject; readonly standard: KeyObject };

export const signingKeysOf = (secret: string): SigningKeys => ({
  ours: createSecretKey(secret, 'utf8'),
  standard: createSecretKey(webhookSecretBytes(secret)),
});

type Signed = {
  readonly deliveryId: string;
  readonly kind: WebhookKind;
  readonly body: string;
  readonly keys: SigningKeys;
  readonly at: Date;
};

/** The headers of one attempt: ours, and beside them those of Standard Webhooks, which its libraries verify. */
export const webhookHeaders = ({ deliveryId, kind, body, keys, at }: Signed): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / MS));
  const ours = createHmac('sha256', keys.ours).update(`${timestamp}.${body}`).digest('hex');
  const standard = createHmac('sha256', keys.standard)
    .update(`${deliveryId}.${timestamp}.${body}`)
    .digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Transcript-Delivery-Service-Webhooks/1',
    'x-service-event': kind,
    'x-service-delivery': deliveryId,
    'x-service-timestamp': timestamp,
    'x-service-signature': `v1=${ours}`,
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
  };
};
