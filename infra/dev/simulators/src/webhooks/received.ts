import type { IncomingHttpHeaders } from 'node:http';
import { verifyStandardWebhook, verifyWebhook } from './verify-webhook.ts';

/** One request that came, whatever was answered. */
export type ReceivedWebhook = {
  readonly path: string;
  readonly receivedAt: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly deliveryId: string;
  readonly event: string;
  /** Whether one of the secrets that the receiver knows has signed it, in both ways. */
  isVerified: boolean;
};

const isSigned = (secret: string, { headers, body }: ReceivedWebhook): boolean =>
  verifyWebhook(secret, headers, Buffer.from(body)) &&
  verifyStandardWebhook(secret, headers, Buffer.from(body));

/** The newest of what came, and the secrets that tell whether it was for us. */
export const createWebhookStore = (capacity: number) => {
  const secrets = new Set<string>();
  const all: ReceivedWebhook[] = [];
  return {
    /** Verifies what came before, too: a webhook may be faster than the answer that has its secret. */
    addSecret: (secret: string): void => {
      secrets.add(secret);
      for (const webhook of all) webhook.isVerified ||= isSigned(secret, webhook);
    },
    /** Oldest first. */
    list: (): readonly ReceivedWebhook[] => all,
    add({ path, headers, body }: Pick<ReceivedWebhook, 'path' | 'headers' | 'body'>): void {
      const receivedAt = new Date().toISOString();
      const deliveryId = String(headers['x-service-delivery']);
      const event = String(headers['x-service-event']);
      const webhook = { path, receivedAt, headers, body, deliveryId, event, isVerified: false };
      webhook.isVerified = [...secrets].some((secret) => isSigned(secret, webhook));
      all.push(webhook);
      if (all.length > capacity) all.shift();
    },
  };
};
