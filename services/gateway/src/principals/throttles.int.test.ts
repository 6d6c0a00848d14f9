import { afterEach, describe, expect, it } from '@jest/globals';
import { createApiKey, createSessionToken, digestSecret, serviceError } from '@tds/contracts';
import { startTestRedis, type TestRedis } from '@tds/test-kit';
import request from 'supertest';
import { SESSION_REQUESTS_PER_MINUTE } from '../admission/limits.ts';
import { newDelivered, newPrincipal, VIDEO_ID } from '../test-support/builders.ts';
import { startWorld, type World } from '../test-support/world.ts';

const FAILED_CREDENTIALS_PER_MINUTE = 30;
const FILE = 'Hello';
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (let next = cleanUps.pop(); next; next = cleanUps.pop()) await next();
});

const newWorld = async (): Promise<{ world: World; redis: TestRedis }> => {
  const redis = await startTestRedis();
  cleanUps.push(redis.stop);
  const world = await startWorld({ redisUrl: redis.url });
  cleanUps.push(world.stop);
  await world.cache(newDelivered(FILE), FILE);
  return { world, redis };
};

/** Sessions that identity knows. */
const signIn = (world: World, count: number): string[] => {
  const tokens = Array.from({ length: count }, () => createSessionToken());
  const known = new Map(tokens.map((token) => [digestSecret(token), newPrincipal({ keyId: null })]));
  world.identity.commands.authenticateSession = async ({ sessionDigest }) => {
    const principal = known.get(sessionDigest);
    if (principal === undefined) throw serviceError('session_required');
    return principal;
  };
  return tokens;
};

const listKeys = (url: string, token: string) =>
  request(url).get('/v1/keys').set('cookie', `svc_dashboard=${token}`);
const readWith = (world: World, authorization: string) =>
  request(world.url).get(`/v1/transcript?video_id=${VIDEO_ID}`).set({ authorization });

const tally = async (count: number, send: (n: number) => PromiseLike<{ status: number }>) => {
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => send(n)));
  const groups = Object.groupBy(answers, ({ status }) => String(status));
  return Object.fromEntries(Object.entries(groups).map(([status, all]) => [status, all?.length]));
};

describe('a session', () => {
  it('has so many requests a minute over all gateways, and identity is not asked about those beyond', async () => {
    const { world } = await newWorld();
    const second = await world.addGateway();
    const [token = '', other = ''] = signIn(world, 2);
    const urls = [world.url, second.url];
    expect(await tally(200, (n) => listKeys(urls[n % 2] as string, token))).toEqual({
      200: SESSION_REQUESTS_PER_MINUTE,
      429: 200 - SESSION_REQUESTS_PER_MINUTE,
    });
    world.identity.asked.length = 0;
    const refused = await listKeys(world.url, token);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({
      code: 'rate_limit',
      message: expect.stringContaining('session'),
      retry_after: Number(refused.headers['retry-after']),
    });
    expect(world.identity.asked).toEqual([]);
    expect((await listKeys(world.url, other)).status).toBe(200);
  });

  it('has them in each process while Redis is away', async () => {
    const { world, redis } = await newWorld();
    const [token = ''] = signIn(world, 1);
    await redis.kill();
    expect(await tally(200, () => listKeys(world.url, token))).toEqual({
      200: SESSION_REQUESTS_PER_MINUTE,
      429: 200 - SESSION_REQUESTS_PER_MINUTE,
    });
    world.identity.asked.length = 0;
    expect((await listKeys(world.url, token)).status).toBe(429);
    expect(world.identity.asked).toEqual([]);
  });
});

describe('a network that sends unknown credentials', () => {
  it('is told to wait before identity is asked, with keys and with sessions, and leaves nothing in Redis', async () => {
    const { world } = await newWorld();
    signIn(world, 0);
    await world.redis.flushdb();
    await world.keepFresh();
    const codes = await tally(500, (n) =>
      n % 2 === 0 ? readWith(world, `Bearer ${createApiKey()}`) : listKeys(world.url, createSessionToken()),
    );
    expect(world.identity.asked.length).toBeLessThan(2 * FAILED_CREDENTIALS_PER_MINUTE);
    expect(codes['429']).toBe(500 - world.identity.asked.length);
    const refused = await readWith(world, `Bearer ${createApiKey()}`);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ code: 'rate_limit', message: expect.stringContaining('network') });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await world.redis.dbsize()).toBe(1);
  });

  it('harms no good key or session in it that is in use', async () => {
    const { world } = await newWorld();
    const [token = ''] = signIn(world, 1);
    const account = await world.addAccount();
    const used = await world.addAccount();
    expect((await readWith(world, used.bearer.authorization)).status).toBe(200);
    expect((await listKeys(world.url, token)).status).toBe(200);
    await tally(200, () => readWith(world, `Bearer ${createApiKey()}`));
    expect((await readWith(world, `Bearer ${createApiKey()}`)).status).toBe(429);
    // One that this gateway knows, one that only Redis knows, and a session.
    expect((await readWith(world, used.bearer.authorization)).status).toBe(200);
    expect((await readWith(world, account.bearer.authorization)).status).toBe(200);
    expect((await listKeys(world.url, token)).status).toBe(200);
  });
});
