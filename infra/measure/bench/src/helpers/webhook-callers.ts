import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { keyRing } from '@tds/base';
import { createWebhookSecret, WEBHOOK_SECRETS, webhookDispatcher } from '@tds/contracts';
import { startService } from '@tds/kit';
import { createCaller, testContext } from '@tds/kit/testing';
import { type PaceOptions, pace } from '../support/drive.ts';
import { serveHelper } from '../support/helper.ts';

/** Accounts that request events, and their receivers: one process, so that both sides share a clock. */

export type Paced = PaceOptions & { readonly dead: number };

const environment = JSON.parse(process.env.ENVIRONMENT ?? '{}') as NodeJS.ProcessEnv;
const cipher = keyRing()
  .parse(environment.WEBHOOK_KEY_RING ?? '')
  .cipher(WEBHOOK_SECRETS);
const caller = createCaller(webhookDispatcher);
await startService(caller.service, environment);

const accounts: string[] = [];
const arrivals = new Map<string, PromiseWithResolvers<number>>();
const ensureArrival = (id: string): PromiseWithResolvers<number> => {
  const arrival = arrivals.get(id) ?? Promise.withResolvers<number>();
  arrivals.set(id, arrival);
  return arrival;
};

const server = createServer((request, response) => {
  ensureArrival(String(request.headers['x-service-delivery'])).resolve(performance.now());
  request.resume();
  if (request.url !== '/dead') request.on('end', () => response.end('ok'));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const configure = async (accountId: string, url: string): Promise<void> => {
  const sealedSecret = cipher.encrypt(createWebhookSecret(), accountId);
  const settings = {
    ...{ accountId, keyId: null, url, lowBalanceThreshold: null },
    ...{ rotateSecret: false, sealedSecret },
  };
  await caller.call(webhookDispatcher.putWebhook, settings, testContext());
};

/** Returns the accounts and the origin of their receivers. */
const addAccounts = async (count: number): Promise<{ accountIds: string[]; origin: string }> => {
  for (let n = 0; n < count; n += 1) {
    const accountId = randomUUID();
    await configure(accountId, `${origin}/hooks/${n}`);
    accounts.push(accountId);
  }
  return { accountIds: accounts, origin };
};

/** Makes the receivers of the first accounts silent, and all others answer. */
const setDead = async (count: number): Promise<void> => {
  for (const [n, accountId] of accounts.entries())
    await configure(accountId, n < count ? `${origin}/dead` : `${origin}/hooks/${n}`);
};

/** Milliseconds from the request to the arrival, of accounts whose receivers answer. */
const latency = async ({ dead, ...options }: Paced): Promise<Float64Array> => {
  const latencies = new Float64Array(options.count);
  const living = accounts.slice(dead);
  await pace(options, async (n) => {
    const accountId = living[n % living.length] ?? '';
    const requestedAt = performance.now();
    const { delivery } = await caller.call(webhookDispatcher.sendTestEvent, { accountId }, testContext());
    latencies[n] = (await ensureArrival(delivery.id).promise) - requestedAt;
    arrivals.delete(delivery.id);
  });
  return latencies;
};

serveHelper({ addAccounts, setDead, latency });
