import { once } from 'node:events';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Behaviour, startWebhookReceiver, type WebhookReceiver } from '@tds/webhook-receiver';
import { createDestinationGuard } from './destination-guard.ts';
import { createPoster, type Poster } from './post-webhook.ts';
import { createResolveHost } from './resolve-host.ts';

const never = new AbortController().signal;
let receiver: WebhookReceiver;
let poster: Poster;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const rules = { ownHosts: [], takesLocalReceivers: true };
  poster = createPoster(createDestinationGuard(rules, createResolveHost('127.0.0.1:9')));
});
afterAll(async () => {
  await poster.close();
  await receiver.stop();
});

const post = (behaviour: Behaviour, accountId = 'me') => {
  receiver.script([behaviour], `/${behaviour}`);
  const url = `${receiver.hookUrl}/${behaviour}`;
  return poster.post({ accountId, url, headers: { 'content-type': 'application/json' }, body: '{}' }, never);
};

describe('an attempt', () => {
  it.each([
    [200, { status: 200, error: null, answer: 'answered 200' }],
    [204, { status: 204, error: null, answer: '' }],
    [299, { status: 299, error: null }],
    [404, { status: 404, error: 'status' }],
    [410, { status: 410, error: 'status' }],
    [500, { status: 500, error: 'status', answer: 'answered 500' }],
    ['redirect', { status: 301, error: 'redirect' }],
    ['reset', { status: null, error: 'connection', answer: null }],
    ['cut', { status: 200, error: 'answer_incomplete', answer: 'half of' }],
  ] as const)('that meets %s is told as it was', async (behaviour, told) => {
    expect(await post(behaviour)).toMatchObject(told);
  });

  it('reads 64 KiB of an endless answer and fails', async () => {
    const result = await post('huge');
    expect(result).toMatchObject({ status: 200, error: 'answer_too_large' });
    expect(result.answer).toHaveLength(1_024);
  });

  it.each(['drip', 'late', 'never'] as const)(
    'ends after ten seconds, its body included: %s',
    async (behaviour) => {
      const startedAt = performance.now();
      expect(await post(behaviour)).toMatchObject({ error: 'timeout' });
      expect(performance.now() - startedAt).toBeGreaterThan(9_000);
    },
  );

  it('does not stand in the way of others to the same place', async () => {
    const hanging = Promise.all(Array.from({ length: 20 }, () => post('never')));
    expect(await post(200)).toMatchObject({ error: null });
    await hanging;
  });

  it('finds a certificate that nobody vouches for', async () => {
    const server = createHttps({}, (_request, response) => void response.end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `https://127.0.0.1:${port}/`;
    const result = await poster.post({ accountId: 'me', url, headers: {}, body: '{}' }, never);
    expect(result).toMatchObject({ status: null, error: 'tls' });
    server.close();
  });

  it('shares its connection with no other account', async () => {
    const ports = new Set<number | undefined>();
    const { createServer } = await import('node:http');
    const server = createServer((request, response) => {
      ports.add(request.socket.remotePort);
      response.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    for (const accountId of ['one', 'two', 'one', 'two'])
      await poster.post({ accountId, url, headers: {}, body: '{}' }, never);
    expect(ports.size).toBe(2);
    server.close();
    server.closeAllConnections();
  });
});
