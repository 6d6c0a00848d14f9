import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSessionToken } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { eventually } from '@tds/test-kit';
import request from 'supertest';
import { newPrincipal, newTranscript, VIDEO_ID } from './test-support/builders.ts';
import { rawRequest, sendRaw } from './test-support/raw-http.ts';
import { startTestGateway, type TestGateway } from './test-support/start-gateway.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const ready = /"http":"(http:[^"]+)"/;
let harness: TestGateway;
let output = '';
let url: string;
let child: ReturnType<typeof spawn>;

/** The gateway as a process of its own, as it runs in production: what it writes is all that it writes. */
beforeAll(async () => {
  harness = await startTestGateway();
  child = spawn(process.execPath, [main], {
    env: {
      ...harness.environment,
      LOG_LEVEL: 'info',
      OBJECTS_S3_BUCKET: 'unused',
      OBJECTS_S3_REGION: 'unused',
    } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  url = await eventually(() => {
    const found = ready.exec(output)?.[1];
    if (!found) throw new Error(`not ready: ${output}`);
    return found;
  });
});
afterAll(async () => {
  child?.kill('SIGTERM');
  await harness?.stop();
});

describe('the log', () => {
  it('has one line per request with its outcome, and no secret', async () => {
    const { key, principal, bearer } = await harness.addAccount();
    const session = createSessionToken();
    const device = `${createSessionToken()}.${'p'.repeat(52)}`;
    harness.identity.commands.authenticateSession = async () => newPrincipal({ keyId: null });
    harness.identity.commands.verifyCode = async () => ({
      accountId: principal.accountId,
      sessionId: '11111111-2222-4333-8444-555555555556',
      sessionExpiresAt: '2099-01-01T00:00:00.000Z',
      firstKey: { id: principal.accountId, name: 'First', createdAt: '2026-01-01T00:00:00.000Z' },
      deviceProof: 'p'.repeat(52),
    });
    harness.fetcher.commands.getVideoFacts = async () => {
      throw serviceError('unexpected_error', { cause: new Error(`saw ${key}`) });
    };
    await harness.cache(newTranscript('Hello'), 'Hello');
    const hit = await request(url).get(`/v1/transcript?video_id=${VIDEO_ID}`).set(bearer);
    await request(url)
      .get(`/v1/transcript?video_id=canaryquery`)
      .set({ authorization: `Bearer ${key}x` });
    await request(url).get(`/v1/video?video_id=canaryquery`).set(bearer);
    await request(url).get(`/v1/video?token=canary-token&x=${key}`).set(bearer);
    await request(url)
      .post('/v1/auth/logout')
      .set({ cookie: `svc_dashboard=${session}`, 'x-service-dashboard': '1' });
    const made = await request(url)
      .post('/v1/keys')
      .set({ ...bearer, 'Idempotency-Key': 'canary-of-a-repeat' })
      .send({ name: 'canary' });
    const verified = await request(url)
      .post('/v1/auth/verify')
      .set('cookie', `svc_device=${device}`)
      .send({ email: 'canary@example.com', code: '918273', accept_terms: true });
    await request(url).post('/v1/auth/code').send(`{"email":"canary@example.com","broken":${key}`);
    await sendRaw(url, rawRequest(`GET /v1/video?api_key=${key}`, ['nonsense']));
    const lines = await eventually(() => {
      const records = output
        .split('\n')
        .filter((line) => line.includes('"kind":"http"'))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(records).toHaveLength(8);
      return records;
    });
    expect(lines.find(({ requestId }) => requestId === hit.headers['x-request-id'])).toMatchObject({
      service: 'gateway',
      name: 'getTranscript',
      outcome: 'ok',
      method: 'GET',
      status: 200,
      cache: 'HIT',
      creditsCharged: 0,
      accountId: principal.accountId,
      durationMs: expect.any(Number),
    });
    const setCookie = verified.headers['set-cookie']?.[0] ?? '';
    const shown = [made.body.key.secret, verified.body.key.secret, setCookie.slice(14, 57)];
    const secrets = [key, session, device, ...shown];
    for (const canary of [...secrets, 'canary', '918273', 'svc_live_']) expect(output).not.toContain(canary);
  });

  it('has no text of unauthenticated callers', async () => {
    const canary = 'c4nary-of-strangers';
    const session = createSessionToken();
    const type = ['Content-Type: application/json'];
    const sent = [
      rawRequest(`GET /${canary}`),
      rawRequest(`GET /v1/keys/%${canary}${session}`),
      rawRequest(`DELETE /v1/keys/${canary}%ff${session}`),
      rawRequest(`GET /v1/video?video_id=${canary}&${canary}=1`),
      rawRequest(`GET http://${canary}:${session}@x/v1/keys`),
      rawRequest(`GET /v1/keys#${canary}`),
      rawRequest('GET /v1/keys', [`Cookie: svc_dashboard=${canary}`, `X-${canary}: ${canary}`]),
      rawRequest('GET /v1/keys', [`Authorization: ${canary} ${session}`]),
      rawRequest('GET /v1/keys', [`Expect: ${canary}`, `Host: ${canary}`]),
      rawRequest('POST /v1/auth/code', [...type, `Content-Length: ${canary.length}`], canary),
      rawRequest('POST /v1/auth/code', [...type, 'Content-Length: 90'], `{"email":"${canary}`),
      rawRequest('POST /v1/auth/code', [`Content-Type: ${canary}`, 'Content-Length: 2'], '{}'),
      rawRequest(`${canary} /v1/keys`),
      rawRequest(`GET /v1/keys HTTP/7.7 ${canary}`),
      rawRequest('GET /v1/keys', [`${canary} ${session}`]),
      `${canary} ${session}\r\n\r\n`,
    ];
    for (const bytes of sent) await sendRaw(url, bytes, 100);
    // The last of them to be recorded says that all are.
    const last = await request(url).get('/v1/keys');
    await eventually(() => expect(output).toContain(last.headers['x-request-id']));
    for (const planted of [canary, session]) expect(output).not.toContain(planted);
  });

  it('has one short line for a broken body or an unavailable service, without a stack', async () => {
    const { bearer } = await harness.addAccount({ tier: 'paid' });
    const before = output.length;
    const body = `{"email":"${'x'.repeat(2_000)}`;
    const times = 500;
    for (let sent = 0; sent < times; sent += 20) {
      await Promise.all(
        Array.from({ length: 20 }, () =>
          request(url).post('/v1/auth/code').set('content-type', 'application/json').send(body),
        ),
      );
    }
    const { stop } = harness.fetcher;
    await stop();
    const away = await request(url).get(`/v1/video?video_id=${VIDEO_ID}`).set(bearer);
    expect([away.status, away.body.code]).toEqual([503, 'service_unavailable']);
    await eventually(() => expect(output).toContain(away.headers['x-request-id']));
    const written = output.slice(before);
    expect(written.split('\n').filter((line) => line.includes('"kind":"http"'))).toHaveLength(times + 1);
    expect(written.length / times).toBeLessThan(600);
    expect(written).not.toMatch(/\bat .+:\d+:\d+|stack/);
  });

  it('has a measurement per route, method and status', async () => {
    const health = /"health":"(http:[^"]+)"/.exec(output)?.[1];
    const metrics = await (await fetch(`${health}/metrics`)).text();
    expect(metrics).toMatch(
      /tds_http_request_duration_seconds_count\{[^}]*route="getTranscript",method="GET",status="200"[^}]*\} 1/,
    );
  });
});
