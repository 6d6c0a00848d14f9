import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { utcDay } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { errorEnvelope } from '@tds/http-api';
import { eventually, fakeClock } from '@tds/test-kit';
import request from 'supertest';
import { redisKeys } from '../redis/redis-keys.ts';
import { newTranscript, newTranscriptFor, VIDEO_ID } from '../test-support/builders.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';
import { keyLimits } from './limits.ts';

const CAP = 10;
const limits = {
  free: { ...keyLimits.free, cacheReadsPerDay: CAP, requestsPerMinute: 1_000 },
  paid: { ...keyLimits.paid, cacheReadsPerDay: 2 * CAP, requestsPerMinute: 1_000 },
};
const FILE = 'Hello';
const clock = fakeClock('2026-11-20T23:59:50.000Z');
let harness: TestGateway;
let urls: string[];

beforeAll(async () => {
  harness = await startTestGateway({ overrides: { limits, now: clock.now } });
  const added = await Promise.all([1, 2, 3].map(() => harness.addGateway()));
  urls = [harness.url, ...added.map(({ url }) => url)];
  await harness.cache(newTranscript(FILE), FILE);
});
afterAll(() => harness?.stop());
beforeEach(() => {
  clock.set('2026-11-20T23:59:50.000Z');
});

type Account = Awaited<ReturnType<TestGateway['addAccount']>>;
const newAccount = (options = {}): Promise<Account> => harness.addAccount(options);
const read = ({ bearer }: Account, at = 0, videoId = VIDEO_ID) =>
  request(urls[at % urls.length] ?? '')
    .get(`/v1/transcript?video_id=${videoId}`)
    .set(bearer);
const tally = async (count: number, account: Account, videoId?: string) => {
  const answers = await Promise.all(Array.from({ length: count }, (_, at) => read(account, at, videoId)));
  const codes = answers.map(({ status, body }) => (status === 200 ? 'read' : (body as { code: string }).code));
  return Object.fromEntries(
    Object.entries(Object.groupBy(codes, (code) => code)).map(([code, all]) => [code, all?.length]),
  );
};
const counter = async ({ principal }: Account) =>
  Number(
    await harness.redis.get(
      redisKeys.reads(principal.accountId, utcDay(clock.now()), String(principal.limitId)),
    ),
  );

describe('cached reads of a key on a day', () => {
  it('stop exactly at its cap for a hundred concurrent ones over four gateways, from Redis and from memory', async () => {
    const account = await newAccount();
    expect(await tally(100, account)).toEqual({ read: CAP, cache_read_cap: 100 - CAP });
    expect(await tally(2 * CAP + 5, await newAccount({ tier: 'paid' }))).toEqual({
      read: 2 * CAP,
      cache_read_cap: 5,
    });
  });

  it('are shared by keys of one chain of rotations, each at other gateways', async () => {
    const first = await newAccount();
    const { accountId, keyId } = first.principal;
    const successor = await newAccount({ accountId, limitId: keyId });
    expect(await tally(4, first)).toEqual({ read: 4 });
    expect(await tally(CAP, successor)).toEqual({ read: CAP - 4, cache_read_cap: 4 });
    expect(await tally(1, first)).toEqual({ cache_read_cap: 1 });
  });

  it('are refused with the limit and the time of the reset, at 00:00:00Z to the second', async () => {
    const account = await newAccount();
    await tally(CAP, account);
    const refused = await read(account);
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({ 'retry-after': '10', 'x-credits-charged': '0' });
    expect(refused.headers['x-cache']).toBeUndefined();
    expect(errorEnvelope.parse(refused.body)).toMatchObject({
      code: 'cache_read_cap',
      errorClass: 'QuotaExceeded',
      retryable: false,
      retry_after: 10,
      message: expect.stringMatching(/its 10 cached transcripts of today.*00:00 UTC/),
    });
    clock.advance(9_999);
    expect((await read(account)).body).toMatchObject({ code: 'cache_read_cap', retry_after: 1 });
    clock.advance(1);
    expect((await read(account)).status).toBe(200);
  });

  it('do not include errors, invalid requests and cold deliveries', async () => {
    const account = await newAccount();
    harness.storeFile(newTranscript(FILE), FILE);
    harness.fetcher.commands.getTranscript = async (asked) => {
      if (asked.cacheOnly) throw serviceError('transcript_not_ready');
      return newTranscriptFor(asked, FILE);
    };
    for (let round = 0; round < CAP; round += 1)
      await read(account, 0, `colder${String(round).padStart(5, '0')}`);
    harness.fetcher.commands.getTranscript = async () => {
      throw serviceError('no_captions');
    };
    await read(account, 0, 'failing0001');
    await request(harness.url).get('/v1/transcript?video_id=wrong').set(account.bearer);
    await request(harness.url).get('/v1/video?video_id=wrong').set(account.bearer);
    await eventually(async () => expect(await counter(account)).toBe(0));
    expect(await tally(CAP + 1, account)).toEqual({ read: CAP, cache_read_cap: 1 });
  });

  it('include transcripts cached by the fetcher only', async () => {
    const account = await newAccount();
    const hit = { cache: 'HIT', creditsCharged: 0 } as const;
    harness.storeFile(newTranscript(FILE), FILE);
    harness.fetcher.commands.getTranscript = async (asked) => newTranscriptFor(asked, FILE, hit);
    for (let round = 0; round < CAP; round += 1) {
      expect((await read(account, 0, `cached${String(round).padStart(5, '0')}`)).status).toBe(200);
    }
    expect((await read(account, 0, 'cached99999')).body).toMatchObject({ code: 'cache_read_cap' });
  });
});

it('counters that Redis lost begin anew: reads stay free, and the cap bounds what is left of the day', async () => {
  const account = await newAccount();
  await tally(CAP, account);
  await harness.redis.flushdb();
  await harness.keepFresh();
  expect(await tally(CAP + 1, account)).toEqual({ read: CAP, cache_read_cap: 1 });
});
