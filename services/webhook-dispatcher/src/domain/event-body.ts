import { timeOf, WEBHOOK_API_VERSION, type WebhookData, type WebhookKind, webhookBody } from '@tds/contracts';

export type WebhookEvent<Kind extends WebhookKind = WebhookKind> = {
  /** Of its time, so that the body is the same where the event is heard again. */
  readonly id: string;
  readonly kind: Kind;
  readonly data: WebhookData<Kind>;
};

/** The body as every attempt sends it. Parsed, so that what its description does not know never leaves. */
export const eventBody = ({ id, kind, data }: WebhookEvent): string =>
  JSON.stringify(
    webhookBody(kind).parse({
      id,
      type: kind,
      created_at: timeOf(id).toISOString(),
      api_version: WEBHOOK_API_VERSION,
      data,
    }),
  );
