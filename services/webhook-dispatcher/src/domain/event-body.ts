import { timeOf, WEBHOOK_API_VERSION, type WebhookData, type WebhookKind, webhookBody } from '@tds/contracts';

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
