import { afterEach, describe, expect, it } from '@jest/globals';
import { startExitGateway } from '@tds/simulators/platform/testing';
import type { ByteBudget } from '../budget.ts';
import { factTtlSeconds, isDurableVideoFact } from '../test-support/facts.ts';
import { memoryByteBudget } from '../test-support/memory-byte-budget.ts';
import { type Scripted, startScriptedPlatform } from '../test-support/scripted-platform.ts';
import { json3, playable, refusedBy, VIDEO_ID, wireTrack } from '../test-support/wire.ts';
import { readCues } from '../timedtext/read-captions.ts';
import { chooseTrack } from '../tracks/choose-track.ts';
import type { AttemptRecord, VideoPlatformOptions } from '../types.ts';
import { createVideoPlatform } from '../video-platform.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const openProxy = async () => {
  const gateway = await startExitGateway();
  closing.push(gateway.close);
  return { proxyUrl: `http://${gateway.http}` };
};

const english = playable([wireTrack('en')]);
const blocked = refusedBy('LOGIN_REQUIRED', 'Sign in to confirm you\u2019re not a bot');
const abroad = refusedBy('UNPLAYABLE', 'The uploader has not made this video available in your country');

/** `answers` by the exit that a request came through. */
const setUp = async (
  answers: { direct: string; proxied: string },
  options: Partial<VideoPlatformOptions> = {},
  captions: Scripted = { body: json3('a') },
) => {
  const proxy = await openProxy();
  const server = await startScriptedPlatform((asked) => {
    const isProxied = asked.remoteAddress !== '127.0.0.1';
    if (asked.url.pathname === '/api/timedtext') return captions;
    return { body: isProxied ? answers.proxied : answers.direct };
  });
  const attempts: AttemptRecord[] = [];
  const platform = createVideoPlatform({
    origin: server.origin,
    exits: [{ name: 'direct' }, { name: 'elsewhere', proxyUrl: proxy.proxyUrl }],
    onAttempt: (attempt) => attempts.push(attempt),
    ...options,
  });
  closing.push(() => platform.close(), server.close);
  const inspect = () => platform.inspectVideo(VIDEO_ID, { language: 'en' }, {});
  const failure = (): Promise<unknown> =>
    inspect().then(
      () => Promise.reject(new Error('nothing was thrown')),
      (thrown) => thrown,
    );
  return { platform, inspect, failure, attempts };
};

describe('exits', () => {
  it('change when the first is blocked; captions use the exit of the player', async () => {
    const { platform, inspect, attempts } = await setUp({ direct: blocked, proxied: english });
    const inspection = await inspect();
    expect(inspection.exit).toBe('elsewhere');
    await platform.fetchTrack(
      inspection,
      chooseTrack(inspection, { language: 'en', fallback: true }),
      {},
      readCues,
    );
    expect(attempts.map((attempt) => `${attempt.exit} ${attempt.endpoint}`)).toEqual([
      'direct player',
      'direct player',
      'elsewhere player',
      'elsewhere timedtext',
    ]);
  });

  it('are all asked before a refusal by country is believed', async () => {
    const served = await setUp({ direct: abroad, proxied: english });
    expect((await served.inspect()).exit).toBe('elsewhere');
    const refused = await setUp({ direct: abroad, proxied: abroad });
    const error = await refused.failure();
    expect(error).toMatchObject({
      code: 'video_unavailable',
      data: { retryable: false, retryAfterSeconds: 86_400 },
    });
    expect(factTtlSeconds(error)).toBe(86_400);
    expect(refused.attempts).toHaveLength(3);
  });

  it('that are blocked leave a refusal by country unproven', async () => {
    const error = await (await setUp({ direct: abroad, proxied: blocked })).failure();
    expect(error).toMatchObject({ code: 'ip_blocked' });
    expect([isDurableVideoFact(error), factTtlSeconds(error)]).toEqual([false, null]);
  });
});

describe('the byte budget', () => {
  const proxyOnly = (proxyUrl: string) => [{ name: 'elsewhere', proxyUrl }];

  it('counts bytes of proxied exits, and nothing else', async () => {
    const budget = memoryByteBudget(1_000_000);
    const { inspect, attempts } = await setUp({ direct: blocked, proxied: english }, { budget });
    await inspect();
    const proxied = attempts.filter((attempt) => attempt.exit === 'elsewhere');
    expect(await budget.remaining(null)).toBe(
      1_000_000 - proxied.reduce((sum, attempt) => sum + attempt.bytes, 0),
    );
    expect(await budget.remaining(null)).toBeLessThan(1_000_000);
  });

  it('counts the request and the headers of its answer, too, as a seller does', async () => {
    const { inspect, attempts } = await setUp({ direct: blocked, proxied: english });
    await inspect();
    const [refused] = attempts.filter(({ exit }) => exit === 'direct');
    expect(refused?.bytes).toBeGreaterThan(Buffer.byteLength(blocked) + 500);
  });

  it('stops new work when it is empty, without a request, until midnight UTC', async () => {
    const { proxyUrl } = await openProxy();
    const clock = () => new Date('2026-06-01T23:00:00Z');
    const { failure, attempts } = await setUp(
      { direct: english, proxied: english },
      { exits: proxyOnly(proxyUrl), budget: memoryByteBudget(0), clock },
    );
    expect(await failure()).toMatchObject({ code: 'budget_exhausted', data: { retryAfterSeconds: 3600 } });
    expect(attempts).toEqual([]);
  });

  it('is shared by callers: one that used up its share stops no other', async () => {
    const { proxyUrl } = await openProxy();
    const spenders: (string | null)[] = [];
    const budget: ByteBudget = {
      remaining: async (callerId) => (callerId === 'greedy' ? 0 : 1_000_000),
      spend: async (_bytes, callerId) => {
        spenders.push(callerId);
      },
    };
    const { platform } = await setUp(
      { direct: english, proxied: english },
      { exits: proxyOnly(proxyUrl), budget },
    );
    const inspectFor = (callerId: string) => platform.inspectVideo(VIDEO_ID, { language: 'en' }, { callerId });
    await expect(inspectFor('greedy')).rejects.toMatchObject({ code: 'budget_exhausted' });
    expect((await inspectFor('bystander')).exit).toBe('elsewhere');
    expect(new Set(spenders)).toEqual(new Set(['bystander']));
  });

  it('does not limit the direct exit, and is the wait of a caller if that one is blocked', async () => {
    const served = await setUp({ direct: english, proxied: english }, { budget: memoryByteBudget(0) });
    expect((await served.inspect()).exit).toBe('direct');
    const stuck = await setUp({ direct: blocked, proxied: english }, { budget: memoryByteBudget(0) });
    expect(await stuck.failure()).toMatchObject({ code: 'budget_exhausted' });
  });

  it('is not blamed for an unreadable answer', async () => {
    const odd = JSON.stringify({ playabilityStatus: { status: 'CUSTOM' } });
    const { failure } = await setUp({ direct: odd, proxied: english }, { budget: memoryByteBudget(0) });
    expect(await failure()).toMatchObject({ code: 'upstream_error' });
  });

  it('counts as empty while it cannot be read', async () => {
    const budget = { remaining: () => Promise.reject(new Error('down')), spend: async () => undefined };
    const { failure } = await setUp({ direct: blocked, proxied: english }, { budget });
    expect(await failure()).toMatchObject({ code: 'budget_exhausted' });
  });

  it('that cannot be written does not lose the answer', async () => {
    const budget = { remaining: async () => 1, spend: () => Promise.reject(new Error('down')) };
    const { inspect } = await setUp({ direct: blocked, proxied: english }, { budget });
    expect((await inspect()).exit).toBe('elsewhere');
  });
});
