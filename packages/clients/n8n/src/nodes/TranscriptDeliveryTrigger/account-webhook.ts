import { type Transcripts, verifyWebhook, type WebhookEvent } from '@transcript-delivery/sdk';

/** What a workflow keeps of its webhook. n8n saves it with the workflow. */
export type KeptSecrets = {
  secret?: string;
  /** Deliveries that began before a rotation or a deletion have it. */
  previousSecret?: string;
  /** Milliseconds since 1970. */
  previousUntil?: number;
};

const ONE_DAY_MS = 86_400_000;

const retireSecret = (stored: KeptSecrets, now: number): void => {
  const { secret } = stored;
  if (secret === undefined) return;
  Object.assign(stored, { previousSecret: secret, previousUntil: now + ONE_DAY_MS });
  delete stored.secret;
};

/** Whether events go to this address already, signed with a secret that is kept. */
export const isConnected = async (client: Transcripts, url: string, stored: KeptSecrets): Promise<boolean> => {
  const webhook = await client.webhooks.get();
  return webhook?.url === url && webhook.enabled && stored.secret !== undefined;
};

export type Connection = {
  readonly url: string;
  readonly lowBalanceThreshold: number | null;
  /** Take the place of another address. */
  readonly replace: boolean;
};

/** Makes this address the webhook of the account, with a new secret. */
export const connect = async (
  client: Transcripts,
  { url, lowBalanceThreshold, replace }: Connection,
  stored: KeptSecrets,
  now = Date.now(),
): Promise<void> => {
  const current = await client.webhooks.get();
  // Another receiver would get nothing any more. n8n shows the message of an activation that failed, and nothing else.
  if (current && current.url !== url && !replace)
    throw new Error(
      `The account has one webhook, which is at ${new URL(current.url).host}. Switch "Replace the Webhook of the Account" on to take its place.`,
    );
  const { webhook_secret: secret } = await client.webhooks.set({
    url,
    low_balance_threshold: lowBalanceThreshold,
    rotate_secret: true,
  });
  retireSecret(stored, now);
  if (secret !== undefined) stored.secret = secret;
};

/** Deletes the webhook, unless it has another address by now. */
export const disconnect = async (
  client: Transcripts,
  url: string,
  stored: KeptSecrets,
  now = Date.now(),
): Promise<void> => {
  const current = await client.webhooks.get();
  if (current?.url === url) await client.webhooks.delete();
  retireSecret(stored, now);
};

type Request = { readonly body: Uint8Array; readonly headers: Parameters<typeof verifyWebhook>[1] };

/** Throws the error of the SDK if no kept secret has signed the request. */
export const readEvent = (
  { body, headers }: Request,
  { secret, previousSecret, previousUntil = 0 }: KeptSecrets,
  now = Date.now(),
): Promise<WebhookEvent> =>
  verifyWebhook(
    body,
    headers,
    [secret, now < previousUntil ? previousSecret : undefined].filter((one) => one !== undefined),
    { now },
  );
