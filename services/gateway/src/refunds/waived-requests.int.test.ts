import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { eventually, startTestRedis, type TestRedis } from '@tds/test-kit';
import request from 'supertest';
import { newTranscript } from '../test-support/builders.ts';
import { type HarnessOptions, startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';
import { mayStillBeCharged } from './waived-requests.ts';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (let next = cleanUps.pop(); next; next = cleanUps.pop()) await next();
});

const newHarness = async (options: HarnessOptions = {}) => {
  const redis = await startTestRedis();
  cleanUps.push(redis.stop);
  const harness = await startTestGateway({
    redisUrl: redis.url,
    overrides: { coldWaitMs: 500 },
    ...options,
  });
  cleanUps.push(harness.stop);
  return { harness, redis, account: await harness.addAccount() };
};
type WaiveFields = {
  harness: TestGateway;
  redis: TestRedis;
  account: Awaited<ReturnType<TestGateway['addAccount']>>;
};

const read = ({ harness, account }: WaiveFields, url = harness.url) =>
  request(url).get('/v1/transcript?video_id=neverSeen01&language=de&format=srt').set(account.bearer);
const waived = ({ harness }: WaiveFields): string[] =>
  harness.fetcher.asked.flatMap(({ name, request: asked }) =>
    name === 'waiveRequest' ? (asked as { requestId: string }).requestId : [],
  );
const isWaived = (given: WaiveFields, requestId: string | undefined) =>
  eventually(async () => expect(waived(given)).toContain(requestId));
const keptIn = ({ harness }: WaiveFields) => harness.redis.zcard('gateway:waived');
const away = async (): Promise<never> => {
  throw serviceError('service_unavailable');
};

describe('a cold read that is answered with a 5xx', () => {
  it('is waived with all fields that keep the fetcher from opening it, and then deleted', async () => {
    const given = await newHarness();
    given.harness.fetcher.commands.getTranscript = away;
    const answer = await read(given);
    expect(answer.status).toBe(503);
    const requestId = answer.headers['x-request-id'];
    await isWaived(given, requestId);
    const { accountId, keyId } = given.account.principal;
    expect(given.harness.fetcher.asked.find(({ name }) => name === 'waiveRequest')?.request).toEqual({
      videoId: 'neverSeen01',
      language: 'de',
      fallback: true,
      format: 'srt',
      accountId,
      keyId,
      requestId,
    });
    await eventually(async () => expect(await keptIn(given)).toBe(0));
  });

  it('is waived if its transcript was delivered for a credit, but its file is missing', async () => {
    const given = await newHarness();
    const { video, language } = newTranscript('');
    given.harness.fetcher.commands.getTranscript = async () =>
      newTranscript('never stored', {
        video: { ...video, id: 'neverSeen01' },
        format: 'srt',
        language: { ...language, requested: 'de' },
      });
    // On a busy machine a read may end before its file is looked for.
    await eventually(async () => {
      const answer = await read(given);
      expect([answer.status, answer.headers['x-credits-charged']]).toEqual([502, '0']);
      await isWaived(given, answer.headers['x-request-id']);
    });
  });

  it('is waived as a poll if it polled, also if its answer came and its file is missing', async () => {
    const given = await newHarness();
    const polledId = randomUUID();
    const poll = () =>
      request(given.harness.url).get(`/v1/transcript?request_id=${polledId}`).set(given.account.bearer);
    for (const pollRequest of [away, async () => newTranscript('never stored')]) {
      given.harness.fetcher.commands.pollRequest = pollRequest;
      const answer = await poll();
      expect([answer.status >= 500, answer.headers['x-credits-charged']]).toEqual([true, '0']);
      const { accountId, keyId } = given.account.principal;
      const requestId = answer.headers['x-request-id'];
      await eventually(async () =>
        expect(given.harness.fetcher.asked).toContainEqual({
          name: 'waivePoll',
          request: { polledId, accountId, keyId, requestId },
        }),
      );
    }
    given.harness.fetcher.asked.length = 0;
    given.harness.fetcher.commands.pollRequest = async () => {
      throw serviceError('request_not_found');
    };
    expect((await poll()).status).toBe(404);
    await eventually(async () => expect(await keptIn(given)).toBe(0));
    expect(given.harness.fetcher.asked.map(({ name }) => name)).toEqual(['pollRequest']);
  });

  it('is reported again until the fetcher has acknowledged it', async () => {
    const given = await newHarness();
    const { commands } = given.harness.fetcher;
    commands.getTranscript = away;
    commands.waiveRequest = away;
    const requestId = (await read(given)).headers['x-request-id'];
    await eventually(async () => expect(waived(given).length).toBeGreaterThan(1));
    commands.waiveRequest = async () => ({});
    await eventually(async () => expect(await keptIn(given)).toBe(0));
    expect(new Set(waived(given))).toEqual(new Set([requestId]));
  });

  it('is waived by another gateway if its own died before the report', async () => {
    const given = await newHarness();
    const { commands } = given.harness.fetcher;
    commands.getTranscript = away;
    commands.waiveRequest = away;
    const requestId = (await read(given)).headers['x-request-id'];
    await given.harness.stopGateways();
    given.harness.fetcher.asked.length = 0;
    commands.waiveRequest = async () => ({});
    await given.harness.addGateway();
    await isWaived(given, requestId);
  });

  it('is kept in memory while Redis is away', async () => {
    const given = await newHarness();
    const { commands } = given.harness.fetcher;
    given.harness.identity.commands.authenticateKey = async () => given.account.principal;
    commands.getTranscript = away;
    await given.redis.kill();
    const answer = await read(given);
    expect(answer.status).toBe(503);
    await isWaived(given, answer.headers['x-request-id']);
  });
});

describe('a possible charge after an error', () => {
  it.each([
    ['a part of the service that cannot be reached', serviceError('service_unavailable'), true],
    ['a defect', new Error('defect'), true],
    ['a lost file', serviceError('cache_object_missing'), true],
    ['the work`s own failure', serviceError('upstream_error'), false],
    ['the work`s own end as given up', serviceError('relay_unavailable'), false],
    ['a refusal', serviceError('cold_fetch_cap'), false],
    ['a fetcher that does not run', serviceError('service_unavailable', { nothingBegun: true }), false],
  ])('is assumed for %s', (_title, error, expected) => {
    expect(mayStillBeCharged(error)).toBe(expected);
  });
});
