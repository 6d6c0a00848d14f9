import { WEBHOOK_API_VERSION, type WebhookData, type WebhookKind, webhookBody } from '@tds/contracts';

export type WebhookEvent<Kind extends WebhookKind = WebhookKind> = {
  readonly id: string;
  readonly kind: Kind;
  readonly data: WebhookData<Kind>;
};

/** The body as every attempt sends it. Parsed, so that what its description does not know never leaves. */
export const eventBody = ({ id, kind, data }: WebhookEvent, createdAt: Date): string =>
  JSON.stringify(
    webhookBody(kind).parse({
      id,
      type: kind,
      created_at: createdAt.toISOString(),
      api_version: WEBHOOK_API_VERSION,
      data,
    }),
  );
