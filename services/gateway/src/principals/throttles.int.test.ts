import { afterEach, describe, expect, it } from '@jest/globals';
import { createApiKey, createSessionToken, digestSecret } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { eventually, startTestRedis, type TestRedis } from '@tds/test-kit';
import request from 'supertest';
import { SESSION_REQUESTS_PER_MINUTE } from '../admission/limits.ts';
import { newPrincipal, newTranscript, VIDEO_ID } from '../test-support/builders.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';

const MINUTE_MS = 60_000;
const FAILED_CREDENTIALS_PER_MINUTE = 30;
const FILE = 'Hello';
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (let next = cleanUps.pop(); next; next = cleanUps.pop()) await next();
});

const newHarness = async (): Promise<{ harness: TestGateway; redis: TestRedis }> => {
  const redis = await startTestRedis();
  cleanUps.push(redis.stop);
  const harness = await startTestGateway({ redisUrl: redis.url });
  cleanUps.push(harness.stop);
  await harness.cache(newTranscript(FILE), FILE);
  return { harness, redis };
};

/** Sessions that identity knows. */
const signIn = (harness: TestGateway, count: number): string[] => {
  const tokens = Array.from({ length: count }, () => createSessionToken());
  const known = new Map(tokens.map((token) => [digestSecret(token), newPrincipal({ keyId: null })]));
  harness.identity.commands.authenticateSession = async ({ sessionDigest }) => {
    const principal = known.get(sessionDigest);
    if (principal === undefined) throw serviceError('session_required');
    return principal;
  };
  return tokens;
};

const listKeys = (url: string, token: string) =>
  request(url).get('/v1/keys').set('cookie', `svc_dashboard=${token}`);
const readWith = (harness: TestGateway, authorization: string) =>
  request(harness.url).get(`/v1/transcript?video_id=${VIDEO_ID}`).set({ authorization });

const tally = async (count: number, send: (n: number) => PromiseLike<{ status: number }>) => {
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => send(n)));
  const groups = Object.groupBy(answers, ({ status }) => String(status));
  return Object.fromEntries(Object.entries(groups).map(([status, all]) => [status, all?.length]));
};

/** Sends until it is refused: on a busy machine the minute of the requests before may be over by then. */
const untilRefused = (send: () => PromiseLike<request.Response>) =>
  eventually(
    async () => {
      const answer = await send();
      expect(answer.status).toBe(429);
      return answer;
    },
    { everyMs: 1 },
  );

/** At most so many a minute, and on a busy machine the requests take more than one. */
const expectLimited = async (send: (n: number) => PromiseLike<{ status: number }>, count = 200) => {
  const startedAt = performance.now();
  const { 200: admitted = 0, 429: refused = 0 } = await tally(count, send);
  const minutes = 1 + Math.floor((performance.now() - startedAt) / MINUTE_MS);
  expect(admitted + refused).toBe(count);
  expect(admitted).toBeGreaterThanOrEqual(SESSION_REQUESTS_PER_MINUTE);
  expect(admitted).toBeLessThanOrEqual(minutes * SESSION_REQUESTS_PER_MINUTE);
};

describe('a session', () => {
  it('has a limit per minute over all gateways, beyond which identity is not asked', async () => {
    const { harness } = await newHarness();
    const second = await harness.addGateway();
    const [token = '', other = ''] = signIn(harness, 2);
    const urls = [harness.url, second.url];
    await expectLimited((n) => listKeys(urls[n % 2] as string, token));
    const refused = await untilRefused(() => {
      harness.identity.asked.length = 0;
      return listKeys(harness.url, token);
    });
    expect(refused.body).toMatchObject({
      code: 'rate_limit',
      message: expect.stringContaining('session'),
      retry_after: Number(refused.headers['retry-after']),
    });
    expect(harness.identity.asked).toEqual([]);
    expect((await listKeys(harness.url, other)).status).toBe(200);
  });

  it('has a limit per process while Redis is away', async () => {
    const { harness, redis } = await newHarness();
    const [token = ''] = signIn(harness, 1);
    await redis.kill();
    await expectLimited(() => listKeys(harness.url, token));
    await untilRefused(() => {
      harness.identity.asked.length = 0;
      return listKeys(harness.url, token);
    });
    expect(harness.identity.asked).toEqual([]);
  });
});

describe('a network that sends unknown credentials', () => {
  it('must wait before identity is asked, with keys and sessions, and leaves nothing in Redis', async () => {
    const { harness } = await newHarness();
    signIn(harness, 0);
    await harness.redis.flushdb();
    await harness.keepFresh();
    const startedAt = performance.now();
    const codes = await tally(500, (n) =>
      n % 2 === 0 ? readWith(harness, `Bearer ${createApiKey()}`) : listKeys(harness.url, createSessionToken()),
    );
    // On a busy machine they take longer than a minute.
    const minutes = 2 + Math.floor((performance.now() - startedAt) / MINUTE_MS);
    expect(harness.identity.asked.length).toBeLessThanOrEqual(minutes * FAILED_CREDENTIALS_PER_MINUTE);
    expect(codes['429']).toBeGreaterThanOrEqual(500 - harness.identity.asked.length);
    const refused = await untilRefused(() => readWith(harness, `Bearer ${createApiKey()}`));
    expect(refused.body).toMatchObject({ code: 'rate_limit', message: expect.stringContaining('network') });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await harness.redis.dbsize()).toBeLessThanOrEqual(minutes);
  });

  it('does not affect valid keys or sessions in use', async () => {
    const { harness } = await newHarness();
    const [token = ''] = signIn(harness, 1);
    const account = await harness.addAccount();
    const used = await harness.addAccount();
    expect((await readWith(harness, used.bearer.authorization)).status).toBe(200);
    expect((await listKeys(harness.url, token)).status).toBe(200);
    await tally(200, () => readWith(harness, `Bearer ${createApiKey()}`));
    await untilRefused(() => readWith(harness, `Bearer ${createApiKey()}`));
    // One that this gateway knows, one that only Redis knows, and a session.
    expect((await readWith(harness, used.bearer.authorization)).status).toBe(200);
    expect((await readWith(harness, account.bearer.authorization)).status).toBe(200);
    expect((await listKeys(harness.url, token)).status).toBe(200);
  });
});
