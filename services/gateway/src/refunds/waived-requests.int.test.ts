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
const isWaived = (setup: WaiveFields, requestId: string | undefined) =>
  eventually(async () => expect(waived(setup)).toContain(requestId));
const keptIn = ({ harness }: WaiveFields) => harness.redis.zcard('gateway:waived');
const away = async (): Promise<never> => {
  throw serviceError('service_unavailable');
};

describe('a cold read that is answered with a 5xx', () => {
  it('is waived with all fields that keep the fetcher from opening it, and then deleted', async () => {
    const setup = await newHarness();
    setup.harness.fetcher.commands.getTranscript = away;
    const answer = await read(setup);
    expect(answer.status).toBe(503);
    const requestId = answer.headers['x-request-id'];
    await isWaived(setup, requestId);
    const { accountId, keyId } = setup.account.principal;
    expect(setup.harness.fetcher.asked.find(({ name }) => name === 'waiveRequest')?.request).toEqual({
      videoId: 'neverSeen01',
      language: 'de',
      fallback: true,
      format: 'srt',
      accountId,
      keyId,
      requestId,
    });
    await eventually(async () => expect(await keptIn(setup)).toBe(0));
  });

  it('is waived if its transcript was delivered for a credit, but its file is missing', async () => {
    const setup = await newHarness();
    const { video, language } = newTranscript('');
    setup.harness.fetcher.commands.getTranscript = async () =>
      newTranscript('never stored', {
        video: { ...video, id: 'neverSeen01' },
        format: 'srt',
        language: { ...language, requested: 'de' },
      });
    // On a busy machine a read may end before its file is looked for.
    await eventually(async () => {
      const answer = await read(setup);
      expect([answer.status, answer.headers['x-credits-charged']]).toEqual([502, '0']);
      await isWaived(setup, answer.headers['x-request-id']);
    });
  });

  it('is waived as a poll if it polled, also if its answer came and its file is missing', async () => {
    const setup = await newHarness();
    const polledId = randomUUID();
    const poll = () =>
      request(setup.harness.url).get(`/v1/transcript?request_id=${polledId}`).set(setup.account.bearer);
    for (const pollRequest of [away, async () => newTranscript('never stored')]) {
      setup.harness.fetcher.commands.pollRequest = pollRequest;
      const answer = await poll();
      expect([answer.status >= 500, answer.headers['x-credits-charged']]).toEqual([true, '0']);
      const { accountId, keyId } = setup.account.principal;
      const requestId = answer.headers['x-request-id'];
      await eventually(async () =>
        expect(setup.harness.fetcher.asked).toContainEqual({
          name: 'waivePoll',
          request: { polledId, accountId, keyId, requestId },
        }),
      );
    }
    setup.harness.fetcher.asked.length = 0;
    setup.harness.fetcher.commands.pollRequest = async () => {
      throw serviceError('request_not_found');
    };
    expect((await poll()).status).toBe(404);
    await eventually(async () => expect(await keptIn(setup)).toBe(0));
    expect(setup.harness.fetcher.asked.map(({ name }) => name)).toEqual(['pollRequest']);
  });

  it('is reported again until the fetcher has acknowledged it', async () => {
    const setup = await newHarness();
    const { commands } = setup.harness.fetcher;
    commands.getTranscript = away;
    commands.waiveRequest = away;
    const requestId = (await read(setup)).headers['x-request-id'];
    await eventually(async () => expect(waived(setup).length).toBeGreaterThan(1));
    commands.waiveRequest = async () => ({});
    await eventually(async () => expect(await keptIn(setup)).toBe(0));
    expect(new Set(waived(setup))).toEqual(new Set([requestId]));
  });

  it('is waived by another gateway if its own died before the report', async () => {
    const setup = await newHarness();
    const { commands } = setup.harness.fetcher;
    commands.getTranscript = away;
    commands.waiveRequest = away;
    const requestId = (await read(setup)).headers['x-request-id'];
    await setup.harness.stopGateways();
    setup.harness.fetcher.asked.length = 0;
    commands.waiveRequest = async () => ({});
    await setup.harness.addGateway();
    await isWaived(setup, requestId);
  });

  it('is kept in memory while Redis is away', async () => {
    const setup = await newHarness();
    const { commands } = setup.harness.fetcher;
    setup.harness.identity.commands.authenticateKey = async () => setup.account.principal;
    commands.getTranscript = away;
    await setup.redis.kill();
    const answer = await read(setup);
    expect(answer.status).toBe(503);
    await isWaived(setup, answer.headers['x-request-id']);
  });
});

describe('a possible charge after an error', () => {
  it.each([
    ['a part of the service that cannot be reached', serviceError('service_unavailable'), true],
    ['a defect', new Error('defect'), true],
    ['a lost file', serviceError('cache_object_missing'), true],
    ['the work`s own failure', serviceError('upstream_error'), false],
    ['the work`s own end as setup up', serviceError('relay_unavailable'), false],
    ['a refusal', serviceError('cold_fetch_cap'), false],
    ['a fetcher that does not run', serviceError('service_unavailable', { nothingBegun: true }), false],
  ])('is assumed for %s', (_title, error, expected) => {
    expect(mayStillBeCharged(error)).toBe(expected);
  });
});
