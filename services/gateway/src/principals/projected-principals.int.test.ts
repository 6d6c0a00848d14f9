import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createKeyRing, encodeProjection, signProjection } from '@tds/base';
import { createApiKey, digestSecret, identity, type Principal } from '@tds/contracts';
import { eventually, startTestRedis, type TestRedis } from '@tds/test-kit';
import request from 'supertest';
import { newPrincipal, newTranscript, VIDEO_ID } from '../test-support/builders.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';

const FILE = 'Hello';
const { principal: entry, principalsFresh: fresh } = identity;
let redis: TestRedis;
let harness: TestGateway;
beforeAll(async () => {
  // Of its own: others test with a freshness that lapses.
  redis = await startTestRedis();
  harness = await startTestGateway({ redisUrl: redis.url });
  await harness.cache(newTranscript(FILE), FILE);
});
afterAll(async () => {
  await harness?.stop();
  await redis?.stop();
});
beforeEach(() => harness.keepFresh());

type Account = Awaited<ReturnType<TestGateway['addAccount']>>;
/** Under which id the account's limits count, and what the caller reads of it, say for whom it is taken. */
const read = async ({ bearer }: Pick<Account, 'bearer'>) => {
  harness.identity.asked.length = 0;
  const answer = await request(harness.url).get(`/v1/transcript?video_id=${VIDEO_ID}`).set(bearer);
  const asked = harness.identity.asked.filter(({ name }) => name === 'authenticateKey').length;
  return { status: answer.status, limit: answer.headers['x-ratelimit-limit'], asked };
};
const put = (digest: string, text: string) => harness.redis.set(entry.key(digest), text, 'EX', 600);
const signedBy = (id: string, digest: string, value: Principal) =>
  signProjection(
    createKeyRing([{ id, secret: 'a secret that an intruder has made up' }]).forUse('principals'),
    entry.key(digest),
    value,
    Date.now() + 3_600_000,
  );
const refusals = async (projection: string, why: string): Promise<number> => {
  const metrics = await (await fetch(`${harness.health}/metrics`)).text();
  const line = new RegExp(
    `^tds_projections_refused_total\\{.*projection="${projection}",why="${why}".*\\} (\\d+)`,
    'm',
  );
  return Number(line.exec(metrics)?.[1] ?? 0);
};

describe('a principal in Redis', () => {
  it('signed by identity is accepted without a call to identity', async () => {
    expect(await read(await harness.addAccount({ tier: 'paid' }))).toEqual({
      status: 200,
      limit: '300',
      asked: 0,
    });
  });

  const asFree = { status: 200, limit: '60', asked: 1 };
  const paid = newPrincipal({ tier: 'paid' });
  it.each<[string, string, (victim: Account, intruder: Account) => Promise<string> | string]>([
    ['that no one has signed', 'not-signed', () => encodeProjection(paid)],
    [
      'without its MAC',
      'not-signed',
      async ({ digest }) => {
        const text = String(await harness.redis.get(entry.key(digest)));
        return text.replace(/"mac":"[^"]*",/, '');
      },
    ],
    [
      'of another account',
      'wrong-mac',
      async ({ digest }) => String(await harness.redis.get(entry.key(digest))),
    ],
    [
      'that was changed',
      'wrong-mac',
      async (_, { digest }) => {
        const text = String(await harness.redis.get(entry.key(digest)));
        return text.replace('"free"', '"paid"');
      },
    ],
    [
      'that was signed with another secret under the id of ours',
      'wrong-mac',
      (_, { digest }) => signedBy('tests', digest, paid),
    ],
    [
      'that was signed with a key of no name here',
      'unknown-key',
      (_, { digest }) => signedBy('other', digest, paid),
    ],
  ])('%s is rejected and counted as %s: identity is asked', async (_, why, forge) => {
    const [victim, intruder] = [await harness.addAccount({ tier: 'paid' }), await harness.addAccount()];
    await put(intruder.digest, await forge(victim, intruder));
    const before = await refusals('principal', why);
    expect(await read(intruder)).toEqual(asFree);
    await eventually(async () => expect(await refusals('principal', why)).toBe(before + 1));
  });

  it('is no substitute for a key that identity does not know', async () => {
    const key = createApiKey();
    await put(digestSecret(key), encodeProjection(paid));
    const { status, asked } = await read({ bearer: { authorization: `Bearer ${key}` } });
    expect([status, asked]).toEqual([403, 1]);
  });

  it('that is restored after its end is rejected', async () => {
    const account = await harness.addAccount();
    await harness.project(entry.key(account.digest), { ...account.principal, tier: 'paid' }, -1);
    expect(await read(account)).toEqual(asFree);
  });
});

describe('freshness in Redis', () => {
  it.each<[string, string, () => Promise<unknown>]>([
    [
      'without a signature',
      'not-signed',
      () => harness.redis.set(fresh.key(), encodeProjection('1'), 'EX', 60),
    ],
    ['that is kept beyond its end', 'ended', () => harness.project(fresh.key(), '1', -1)],
  ])('%s makes no principal valid', async (_, why, forge) => {
    const account = await harness.addAccount({ tier: 'paid' });
    await forge();
    const before = await refusals('principals-fresh', why);
    expect(await read(account)).toEqual({ status: 200, limit: '300', asked: 1 });
    await eventually(async () => expect(await refusals('principals-fresh', why)).toBeGreaterThan(before));
  });
});
