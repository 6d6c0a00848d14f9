import { type CallAnswer, makeCall } from './http-call.ts';
import type { Scene } from './scene.ts';
import { by } from './transcript-calls.ts';

const ROTATED = 0.2;
/** What a customer's receiver does with what comes, one after the other; the last word holds. */
const scripts = ['200', '500,200', 'reset,cut,200', 'redirect,200', '503,503,503,503,503'];

/** Some are above every balance, some are reached on the way. */
const thresholds = [1_000_000, 95, 90, 50];

/** Webhooks that are configured, rotated and tried, by customers whose receivers fail now and then. */
export const createWebhookCalls = ({ history, customers, random, gateway, receiver }: Scene) => ({
  webhook: async (): Promise<CallAnswer | null> => {
    const customer = customers.take(random, 'cached');
    if (!customer || customer.revoked) return null;
    const { accountId } = customer;
    const url = `${gateway}/v1/webhooks`;
    const asked = { kind: 'webhook', about: accountId, ...by(customer) } as const;
    const hook = `${receiver.hookUrl}/${accountId}?script=${random.pick(scripts)}`;
    const body = {
      url: hook,
      rotate_secret: random.next() < ROTATED,
      low_balance_threshold: random.pick(thresholds),
    };
    const configured = await makeCall(history, { ...asked, url, method: 'PUT', body });
    const secret = configured.json?.webhook_secret;
    if (typeof secret === 'string') {
      receiver.addSecret(secret);
      customers.secrets.add(secret);
    }
    return makeCall(history, { ...asked, url: `${url}/test`, method: 'POST' });
  },
});
