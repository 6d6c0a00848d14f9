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
  readonly isVerified: boolean;
};

type Arrived = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

/** The newest of what came, and the secrets that tell whether it was for us. */
export const createReceived = (keeps: number) => {
  const secrets = new Set<string>();
  const all: ReceivedWebhook[] = [];
  const isSigned = ({ headers, body }: Arrived) =>
    [...secrets].some(
      (secret) => verifyWebhook(secret, headers, body) && verifyStandardWebhook(secret, headers, body),
    );
  return {
    addSecret: (secret: string) => void secrets.add(secret),
    /** Oldest first. */
    list: (): readonly ReceivedWebhook[] => all,
    add(arrived: Arrived): void {
      const { path, headers, body } = arrived;
      const webhook = {
        path,
        headers,
        receivedAt: new Date().toISOString(),
        body: body.toString('utf8'),
        deliveryId: String(headers['x-service-delivery']),
        event: String(headers['x-service-event']),
        isVerified: isSigned(arrived),
      };
      all.push(webhook);
      if (all.length > keeps) all.shift();
    },
  };
};
export type Received = ReturnType<typeof createReceived>;
