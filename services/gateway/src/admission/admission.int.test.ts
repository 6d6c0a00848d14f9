import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Principal, utcDay } from '@tds/contracts';
import { eventually } from '@tds/test-kit';
import request from 'supertest';
import { redisKeys } from '../redis/redis-keys.ts';
import { newListing } from '../test-support/builders.ts';
import { startTwoGateways, type TwoGateways } from '../test-support/start-two-gateways.ts';
import { WINDOW_MS } from './limits.ts';
import { PERMIT_LIFE_MS } from './permits.ts';

let harness: TwoGateways['harness'];
let second: TwoGateways['second'];
let read: TwoGateways['read'];
beforeAll(async () => {
  ({ harness, second, read } = await startTwoGateways());
});
afterAll(() => harness?.stop());

const statuses = async (count: number, send: (round: number) => PromiseLike<{ status: number }>) => {
  const answers = await Promise.all(Array.from({ length: count }, (_, round) => send(round)));
  return Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ status }) => String(status))).map(([status, group]) => [
      status,
      group?.length,
    ]),
  );
};

/** Sends `count` at once, and then one by one what was refused because its permit was taken ahead and not used. */
const expectExactly = async (
  limit: number,
  count: number,
  send: (round: number) => PromiseLike<{ status: number }>,
) => {
  const { 200: atOnce = 0, ...others } = await statuses(count, send);
  expect(Object.keys(others)).toEqual(['429']);
  let admitted = atOnce;
  let round = count;
  expect(admitted).toBeLessThanOrEqual(limit);
  await eventually(
    async () => {
      // Each gateway releases its own with its next request.
      round += 1;
      if (admitted < limit && (await send(round)).status === 200) admitted += 1;
      expect(admitted).toBe(limit);
    },
    { everyMs: 100 },
  );
  expect((await send(0)).status).toBe(429);
};

/** How often Redis was asked to admit. */
const scripts = async () =>
  Number(/cmdstat_evalsha:calls=(\d+)/.exec(await harness.redis.info('commandstats'))?.[1] ?? 0);

/** The counter of a key's cached reads of today. */
const readsOf = ({ accountId, keyId }: Principal) =>
  redisKeys.reads(accountId, utcDay(new Date()), String(keyId));

/** Of a paid key: a busy machine may need more than a minute. */
const maxAdmitted = (startedAt: number): number => 300 * Math.ceil((performance.now() - startedAt) / 60_000);

describe('requests per minute', () => {
  it('admit exactly the limit of a free key, over two gateways at once', async () => {
    const { bearer } = await harness.addAccount();
    await expectExactly(60, 80, (round) => read(bearer, round % 2 ? second.url : harness.url));
  });

  it('are those of a connection, however many tokens an app has made by refreshes', async () => {
    const { bearer, principal } = await harness.addAccount();
    const tokens = [bearer];
    for (let time = 0; time < 3; time += 1) tokens.push((await harness.addAccount(principal)).bearer);
    await expectExactly(60, 80, (round) =>
      read(tokens[round % tokens.length] as typeof bearer, round % 3 ? second.url : harness.url),
    );
  });

  it('are one number for the keys of all sessions of an account', async () => {
    const limitId = crypto.randomUUID();
    const { bearer, principal } = await harness.addAccount({ limitId, isOfSession: true });
    const keys = [bearer];
    for (let time = 0; time < 3; time += 1)
      keys.push((await harness.addAccount({ ...principal, keyId: crypto.randomUUID() })).bearer);
    await expectExactly(60, 80, (round) => read(keys[round % keys.length] as typeof bearer));
  });

  it('admit exactly 300 of a paid key', async () => {
    const { bearer } = await harness.addAccount({ tier: 'paid' });
    await expectExactly(300, 310, () => read(bearer));
  });

  it('of a busy key take permits ahead, and never exceed the limit over two gateways', async () => {
    const { bearer, principal } = await harness.addAccount({ tier: 'paid' });
    await read(bearer);
    const before = await scripts();
    const startedAt = performance.now();
    let admitted = 1;
    for (let round = 0; round < 330; round += 1) {
      const { status } = await read(bearer, round % 2 ? second.url : harness.url);
      if (status === 200) admitted += 1;
    }
    expect(admitted).toBeLessThanOrEqual(maxAdmitted(startedAt));
    expect(admitted).toBeGreaterThanOrEqual(290);
    expect(
      await harness.redis.llen(redisKeys.rate(principal.accountId, String(principal.keyId))),
    ).toBeLessThanOrEqual(300);
    expect((await scripts()) - before).toBeLessThan(200);
  });

  it('that are no cached reads take permits ahead too, and never exceed the limit over two gateways', async () => {
    const { bearer, principal } = await harness.addAccount({ tier: 'paid' });
    harness.search.commands.listVideos = async () => newListing({ freshForMs: 60_000 });
    const list = (url: string) => request(url).get('/v1/videos?url=PLabcdefghijklmnop').set(bearer);
    const before = await scripts();
    const startedAt = performance.now();
    let admitted = 0;
    for (let round = 0; round < 330; round += 1) {
      const { status } = await list(round % 2 ? second.url : harness.url);
      if (status === 200) admitted += 1;
    }
    expect(admitted).toBeLessThanOrEqual(maxAdmitted(startedAt));
    expect(admitted).toBeGreaterThanOrEqual(290);
    expect(
      await harness.redis.llen(redisKeys.rate(principal.accountId, String(principal.keyId))),
    ).toBeLessThanOrEqual(300);
    expect((await scripts()) - before).toBeLessThan(200);
    expect(await harness.redis.get(readsOf(principal))).toBeNull();
  });

  it('of a busy key count once each in Redis, used or not, also permits taken ahead', async () => {
    const { bearer, principal } = await harness.addAccount({ tier: 'paid' });
    await read(bearer);
    const counter = readsOf(principal);
    const reads = async () => Number(await harness.redis.get(counter));
    await eventually(async () => expect(await reads()).toBe(1));
    for (let round = 0; round < 20; round += 1) expect((await read(bearer)).status).toBe(200);
    // What is taken ahead counts from when it may be used at the latest, and nothing counts from before what came before.
    const moments = (
      await harness.redis.lrange(redisKeys.rate(principal.accountId, String(principal.keyId)), 0, -1)
    ).map(Number);
    const [seconds] = await harness.redis.time();
    expect(moments).toEqual(moments.toSorted((a, b) => a - b));
    expect(moments.at(-1)).toBeGreaterThan(Number(seconds) * 1_000_000 + 500_000);
    await eventually(async () => {
      // One more asks anew and releases what has not been used.
      expect((await read(bearer)).status).toBe(200);
      expect(await harness.redis.llen(redisKeys.rate(principal.accountId, String(principal.keyId)))).toBe(
        await reads(),
      );
    });
  });

  it('have a sliding minute: each permit comes back on its own', async () => {
    const { bearer, principal } = await harness.addAccount();
    const [seconds] = await harness.redis.time();
    const at = (age: number) => String((Number(seconds) - age) * 1_000_000);
    await harness.redis.rpush(
      redisKeys.rate(principal.accountId, String(principal.keyId)),
      ...[at(61), at(61)],
      ...Array(58).fill(at(31)),
    );
    expect(await statuses(5, () => read(bearer))).toEqual({ 200: 2, 429: 3 });
    const refused = await read(bearer);
    expect(refused.body).toMatchObject({ code: 'rate_limit', errorClass: 'QuotaExceeded' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(28);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(29);
    expect(refused.body.retry_after).toBe(Number(refused.headers['retry-after']));
    expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '60', 'x-credits-balance': '100' });
    expect(refused.headers).not.toHaveProperty('x-ratelimit-remaining');
  });

  it('a refused request is not counted, an invalid one is', async () => {
    const { bearer, principal } = await harness.addAccount();
    await statuses(70, () => request(harness.url).get('/v1/transcript?video_id=x').set(bearer));
    expect(await harness.redis.llen(redisKeys.rate(principal.accountId, String(principal.keyId)))).toBe(60);
  });

  it('are remembered only while they count', async () => {
    const { bearer, principal } = await harness.addAccount();
    await read(bearer);
    const left = await harness.redis.pttl(redisKeys.rate(principal.accountId, String(principal.keyId)));
    expect(left).toBeGreaterThan(59_000);
    expect(left).toBeLessThanOrEqual(WINDOW_MS + PERMIT_LIFE_MS);
  });
});
