import { once } from 'node:events';
import { createServer as createHttp, type Server as HttpServer, type RequestListener } from 'node:http';
import { createServer as createHttps, type Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HostileServer, hostileAnswers, startHostileServer } from '@tds/bounded-http/testing';
import { type Behaviour, startWebhookReceiver, type WebhookReceiver } from '@tds/simulators/webhooks';
import { authority, expired, good, key, ofAnotherHost, selfSigned } from '../test-support/certificates.ts';
import { createDestinationGuard, createResolveHost } from './destination-guard.ts';
import { createPoster, type Poster } from './post-webhook.ts';

const never = new AbortController().signal;
let receiver: WebhookReceiver;
let poster: Poster;
let hostile: HostileServer;
const trusted = getCACertificates();
beforeAll(async () => {
  setDefaultCACertificates([...trusted, authority]);
  receiver = await startWebhookReceiver();
  hostile = await startHostileServer();
  const rules = { ownHosts: [], takesLocalReceivers: true };
  poster = createPoster(createDestinationGuard(rules, createResolveHost('127.0.0.1:9')));
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await poster.close();
  await receiver.stop();
  hostile.stop();
});

const post = (behaviour: Behaviour, accountId = 'me') => {
  receiver.script([behaviour], `/${behaviour}`);
  const url = `${receiver.hookUrl}/${behaviour}`;
  return poster.post({ accountId, url, headers: { 'content-type': 'application/json' }, body: '{}' }, never);
};

const postTo = (url: string, accountId = 'me') =>
  poster.post({ accountId, url, headers: {}, body: '{}' }, never);

/** Runs a server on loopback while `use` runs. */
const serve = async <T>(server: HttpServer | HttpsServer, use: (port: number) => Promise<T>): Promise<T> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    server.close();
    server.closeAllConnections();
  }
};

describe('an attempt', () => {
  it.each([
    ['120', 120_000, 120_000],
    ['9999999', 12 * 3_600_000, 12 * 3_600_000],
    [new Date(Date.now() + 600_000).toUTCString(), 1, 600_000],
    ['soon', 0, 0],
  ])('learns from Retry-After %s how long the receiver wants no retry', async (value, least, most) => {
    const server = createHttp((_request, response) => {
      response.writeHead(503, { 'retry-after': value }).end();
    });
    const { retryAfterMs = 0 } = await serve(server, (port) => postTo(`http://127.0.0.1:${port}/`));
    expect(retryAfterMs).toBeGreaterThanOrEqual(least);
    expect(retryAfterMs).toBeLessThanOrEqual(most);
  });

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
  ] as const)('that meets %s has that result', async (behaviour, expected) => {
    expect(await post(behaviour)).toMatchObject(expected);
  });

  it('reads 64 KiB of an endless answer, whose status says that it is delivered', async () => {
    const result = await post('huge');
    expect(result).toMatchObject({ status: 200, error: null });
    expect(result.answer).toHaveLength(1_024);
  });

  it.each(hostileAnswers)(
    'that meets endless %s ends before its deadline, and that of another account arrives',
    async (kind) => {
      const attempts = await hostile.serve(kind);
      const failing = Promise.all(Array.from({ length: 8 }, () => postTo(`${attempts}/`)));
      expect(await post(200, 'bystander')).toMatchObject({ error: null });
      for (const { error } of await failing)
        expect([null, 'status', 'connection', 'answer_too_large', 'answer_incomplete']).toContain(error);
    },
  );

  it('reads informational answers of a receiver, and goes on to what it answers', async () => {
    const server = createHttp((_request, response) => {
      for (let time = 0; time < 9; time += 1) response.writeProcessing();
      response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
      response.writeHead(202, { 'retry-after': '5' }).end('taken');
    });
    const result = await serve(server, (port) => postTo(`http://127.0.0.1:${port}/`));
    expect(result).toMatchObject({ status: 202, error: null, answer: 'taken' });
  });

  it('that meets informational answers without an end fails with their status', async () => {
    const origin = await hostile.serve('informational answers of 103');
    expect(await postTo(`${origin}/`)).toEqual({ status: 103, error: 'status', answer: '' });
  });

  it('ends after ten seconds, its body included, and does not block others to the same server', async () => {
    const attempt = async (behaviour: Behaviour) => {
      const startedAt = performance.now();
      const { error } = await post(behaviour);
      return { behaviour, error, isLate: performance.now() - startedAt > 9_000 };
    };
    const behaviours = ['drip', 'late', ...Array.from({ length: 20 }, () => 'never' as const)] as const;
    const hanging = Promise.all(behaviours.map(attempt));
    expect(await post(200)).toMatchObject({ error: null });
    expect(await hanging).toEqual(
      behaviours.map((behaviour) => ({ behaviour, error: 'timeout', isLate: true })),
    );
  });

  it('does not decompress an answer, so a gzip bomb does no harm', async () => {
    const packed = gzipSync(Buffer.alloc(32 * 1_024 * 1_024));
    const answering = (body: Buffer): RequestListener => {
      return (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(body);
    };
    const sent = (body: Buffer) =>
      serve(createHttp(answering(body)), (port) => postTo(`http://127.0.0.1:${port}/`));
    expect(packed.length).toBeLessThan(64 * 1_024);
    const small = await sent(packed);
    expect(small).toMatchObject({ status: 200, error: null });
    expect(small.answer?.length).toBeLessThanOrEqual(1_024);
    expect(await sent(Buffer.concat([packed, packed, packed]))).toMatchObject({ error: null });
  });

  it.each([
    ['is self-signed', selfSigned],
    ['has expired', expired],
    ['is of another host', ofAnotherHost],
  ])('sends nothing if the certificate %s', async (_what, cert) => {
    let requests = 0;
    const server = createHttps({ key, cert }, (_request, response) => {
      requests += 1;
      response.end();
    });
    expect(await serve(server, (port) => postTo(`https://localhost:${port}/`))).toEqual({
      ...{ status: null, error: 'tls', answer: null },
    });
    expect(requests).toBe(0);
  });

  it('arrives if the certificate is valid', async () => {
    const server = createHttps({ key, cert: good }, (_request, response) => void response.end());
    expect(await serve(server, (port) => postTo(`https://localhost:${port}/`))).toMatchObject({
      status: 200,
    });
  });

  it('shares no connection with another account', async () => {
    const ports = new Set<number | undefined>();
    const server = createHttp((request, response) => {
      ports.add(request.socket.remotePort);
      response.end();
    });
    await serve(server, async (port) => {
      for (const accountId of ['one', 'two', 'one', 'two'])
        await postTo(`http://127.0.0.1:${port}/`, accountId);
    });
    expect(ports.size).toBe(2);
  });
});
