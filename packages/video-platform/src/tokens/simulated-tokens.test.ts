import { inspect } from 'node:util';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { defaultStrategies } from '../config/strategies.ts';
import { deliver, startSimulated, toOutcome } from '../test-support/start-simulated.ts';
import type { AttemptRecord } from '../types.ts';
import { createPoTokens } from './po-tokens.ts';

const simulated = await startSimulated();
const { simulator } = simulated;
const tokens: ReturnType<typeof createPoTokens>[] = [];
afterEach(async () => {
  for (const one of tokens.splice(0)) await one.close();
  await simulated.reset();
});
afterAll(() => simulated.stop());

const GATED = 'tokenXpe_01';

const open = (options: Partial<Parameters<typeof simulated.open>[0]> = {}) => {
  const poToken = createPoTokens({ url: simulator.origin, usesProxy: false, exits: [] });
  tokens.push(poToken);
  const attempts: AttemptRecord[] = [];
  const strategies = defaultStrategies.slice(0, 1);
  const onAttempt = (attempt: AttemptRecord) => attempts.push(attempt);
  return { platform: simulated.open({ poToken, strategies, onAttempt, ...options }), attempts };
};
const calls = () => simulator.requests().byEndpoint.get_pot ?? 0;
const failing = (fault: 'slow' | 'server_error' | 'wrong_video' | 'refused_token', times?: number) =>
  simulator.faults.add({ match: { endpoint: 'get_pot' }, fault, ...(times === undefined ? {} : { times }) });

describe('captions behind a token', () => {
  it.each([GATED, 'tokenAXpe01', 'tokenWeb_01'])('of %s are delivered with one of the provider', async (id) => {
    expect((await deliver(open().platform, id)).cues.length).toBeGreaterThan(0);
  });

  it('take one call of the provider for all languages of a video, and none for others', async () => {
    const { platform } = open();
    await deliver(platform, 'manualEn001');
    expect(calls()).toBe(0);
    await deliver(platform, GATED);
    await deliver(platform, GATED, 'de');
    expect(calls()).toBe(1);
  });

  it('come with a second token if the first is refused', async () => {
    failing('refused_token', 1);
    expect((await deliver(open().platform, GATED)).cues.length).toBeGreaterThan(0);
    expect(calls()).toBe(2);
  });

  it('are a gate if the platform refuses all tokens', async () => {
    failing('refused_token');
    expect(await deliver(open().platform, GATED).catch(toOutcome)).toBe('PoTokenRequired');
    expect(calls()).toBe(2);
  });

  it.each(['server_error', 'wrong_video'] as const)(
    'are worth another request if the provider answers %s, and come once it is well',
    async (fault) => {
      failing(fault, 1);
      const { platform } = open();
      const failed = deliver(platform, GATED);
      await expect(failed).rejects.toMatchObject({
        code: 'upstream_error',
        fact: { kind: 'none' },
        data: { retryable: true },
      });
      expect(calls()).toBe(1);
      expect((await deliver(platform, GATED)).cues.length).toBeGreaterThan(0);
    },
  );

  it('without a provider are a gate', async () => {
    const platform = simulated.open({ strategies: defaultStrategies.slice(0, 1) });
    expect(await deliver(platform, GATED).catch(toOutcome)).toBe('PoTokenRequired');
  });

  it('say nothing about the captions of other videos, however many of them fail', async () => {
    failing('server_error');
    const { platform } = open();
    for (let time = 0; time < 8; time += 1)
      expect(await deliver(platform, time % 2 === 0 ? GATED : 'tokenAXpe01').catch(toOutcome)).toBe(
        'UpstreamError',
      );
    expect(platform.strategyHealth()).toMatchObject([{ state: 'closed', lastFailureAt: null }]);
    expect((await deliver(platform, 'manualEn001')).cues.length).toBeGreaterThan(0);
  });

  it('that no address announced come with a token, which is asked for once', async () => {
    simulator.faults.add({ match: { endpoint: 'timedtext' }, fault: 'token_required' });
    expect((await deliver(open().platform, 'manualEn001')).cues.length).toBeGreaterThan(0);
    expect(calls()).toBe(1);
  });

  it('that stay empty whatever comes along are asked for twice', async () => {
    expect(await deliver(open().platform, 'emptyText01').catch(toOutcome)).toBe('PoTokenRequired');
    expect(simulator.requests().byVideo.emptyText01).toEqual({ player: 1, timedtext: 2, get_pot: 1 });
  });

  it('are asked for in vain for as long as the provider is slow', async () => {
    simulator.faults.add({ match: { endpoint: 'get_pot' }, fault: 'slow', latencyMs: 1_000 });
    const poToken = createPoTokens({
      url: simulator.origin,
      usesProxy: false,
      exits: [],
      deadlineMs: 100,
    });
    tokens.push(poToken);
    expect(await deliver(open({ poToken }).platform, GATED).catch(toOutcome)).toBe('UpstreamError');
  });
});

describe('a strategy that needs a token for the player', () => {
  const needy = { ...defaultStrategies[0]!, needs: 'po_token' as const };

  it('is used with a provider', async () => {
    const { platform } = open({ strategies: [needy] });
    expect((await deliver(platform, 'manualEn001')).cues.length).toBeGreaterThan(0);
    expect(calls()).toBe(1);
  });

  it('is not used without one, nor while the provider gives none', async () => {
    expect(simulated.open({ strategies: [needy] }).strategyHealth()).toEqual([]);
    failing('server_error');
    const { platform } = open({ strategies: [needy] });
    expect(await deliver(platform, 'manualEn001').catch(toOutcome)).toBe('UpstreamError');
    expect(simulator.requests().byEndpoint.player).toBeUndefined();
  });
});

it('no record and no error shows a token', async () => {
  const given: string[] = [];
  const provider = createPoTokens({ url: simulator.origin, usesProxy: false, exits: [] });
  tokens.push(provider);
  const poToken = {
    ...provider,
    tokenFor: async (asked: Parameters<typeof provider.tokenFor>[0]) => {
      const token = await provider.tokenFor(asked);
      if (token !== null) given.push(token);
      return token;
    },
  };
  const { platform, attempts } = open({ poToken });
  await deliver(platform, GATED);
  failing('refused_token');
  simulator.faults.add({ match: { endpoint: 'timedtext' }, fault: 'server_error', times: 1 });
  const errors = [
    await deliver(platform, 'tokenAXpe01').catch((error: unknown) => error),
    await deliver(platform, 'emptyText01').catch((error: unknown) => error),
  ];
  const shown = inspect({ attempts, errors, health: platform.strategyHealth(), provider }, { depth: 20 });
  expect(given.length).toBeGreaterThan(1);
  for (const token of given) expect(shown).not.toContain(token);
});
