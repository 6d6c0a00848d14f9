import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadVideoId } from '@tds/simulators/platform';
import {
  deliver,
  rows,
  type Simulated,
  shortTimeouts,
  startSimulated,
  toOutcome,
} from './test-support/start-simulated.ts';
import type { VideoPlatformOptions } from './types.ts';
import type { VideoPlatform } from './video-platform.ts';

let simulated: Simulated;
beforeAll(async () => {
  simulated = await startSimulated();
});
afterAll(() => simulated?.stop());
beforeEach(() => simulated.reset());

describe('health', () => {
  /** Stands still unless a test moves it, so that no circuit is probed by chance. */
  let nowMs = Date.parse('2026-06-01T00:00:00Z');
  const later = (ms: number) => {
    nowMs += ms;
  };
  const openTimed = (options: Partial<VideoPlatformOptions> = {}) =>
    simulated.open({ clock: () => new Date(nowMs), ...options });

  const stateOf = (platform: VideoPlatform, strategy: string) =>
    platform.strategyHealth().find((route) => route.strategy === strategy)?.state;
  const playerCalls = (client: string) => simulated.simulator.requests().byClient[client]?.player ?? 0;
  const blockAndroid = () =>
    simulated.simulator.faults.add({ match: { client: 'ANDROID', endpoint: 'player' }, fault: 'block' });

  it('a blocked strategy is skipped while the next one serves, and returns after a probe', async () => {
    const platform = openTimed();
    const block = blockAndroid();
    for (let video = 1; video <= 6; video += 1) await deliver(platform, loadVideoId(video));
    expect(stateOf(platform, 'android')).toBe('open');
    expect(playerCalls('ANDROID')).toBe(3);
    expect(playerCalls('VISIONOS')).toBe(6);
    later(1_000);
    await deliver(platform, loadVideoId(7));
    expect(playerCalls('ANDROID')).toBe(4);
    expect(stateOf(platform, 'android')).toBe('open');
    simulated.simulator.faults.remove(block);
    later(2_000);
    await deliver(platform, loadVideoId(8));
    expect(stateOf(platform, 'android')).toBe('closed');
    await deliver(platform, loadVideoId(9));
    expect(playerCalls('VISIONOS')).toBe(7);
  });

  it('a hanging strategy costs its deadline three times, then nothing', async () => {
    const platform = openTimed({ limits: shortTimeouts });
    simulated.simulator.faults.add({ match: { client: 'ANDROID', endpoint: 'player' }, fault: 'hang' });
    for (let video = 1; video <= 3; video += 1) await deliver(platform, loadVideoId(video));
    await Promise.all([4, 5, 6, 7, 8].map((video) => deliver(platform, loadVideoId(video))));
    expect(playerCalls('ANDROID')).toBe(3);
  });

  it('blocked captions make later videos use another strategy', async () => {
    const platform = openTimed();
    simulated.simulator.faults.add({ match: { client: 'ANDROID', endpoint: 'timedtext' }, fault: 'empty' });
    for (let video = 1; video <= 3; video += 1) await deliver(platform, loadVideoId(video));
    simulated.simulator.resetRequests();
    await deliver(platform, loadVideoId(4));
    expect(simulated.simulator.requests().byClient.ANDROID).toBeUndefined();
  });

  it('with every circuit open the last failure is returned without a request', async () => {
    const platform = openTimed();
    simulated.simulator.faults.add({ fault: 'too_many_requests' });
    for (let video = 1; video <= 9; video += 1) await deliver(platform, loadVideoId(video)).catch(toOutcome);
    expect(platform.strategyHealth().map((route) => route.state)).toEqual(['open', 'open', 'open', 'open']);
    simulated.simulator.resetRequests();
    expect(await deliver(platform, loadVideoId(10)).catch(toOutcome)).toBe('IpBlocked');
    expect(simulated.simulator.requests().total).toBe(0);
  });

  it('the error has the wait, and says that this video was not asked about', async () => {
    const platform = openTimed();
    simulated.simulator.faults.add({ fault: 'too_many_requests' });
    for (let video = 1; video <= 9; video += 1) await deliver(platform, loadVideoId(video)).catch(toOutcome);
    const refusal = await deliver(platform, loadVideoId(10)).catch((thrown) => thrown);
    expect(refusal).toMatchObject({ code: 'ip_blocked', data: { retryAfterSeconds: 1 }, wasAsked: false });
    expect(refusal.video).toBeNull();
  });

  it('odd videos of one caller close no route to others, however many', async () => {
    const platform = openTimed();
    const odd = [
      'htmlAnswer1',
      'wrongVideo1',
      'noPlayabil1',
      'truncJson01',
      'truncJson02',
      'garbageTxt1',
      'truncGzip01',
    ];
    for (const id of odd)
      await platform.inspectVideo(id, { language: 'en' }, { callerId: 'one' }).catch(toOutcome);
    expect(new Set(platform.strategyHealth().map(({ state }) => state))).toEqual(new Set(['closed']));
    expect((await deliver(platform, loadVideoId(1))).cues.length).toBeGreaterThan(0);
  });

  it('odd videos of different callers close no route while others are served', async () => {
    const platform = openTimed();
    const inspect = (id: string, callerId: string) =>
      platform.inspectVideo(id, { language: 'en' }, { callerId }).catch(toOutcome);
    for (const at of [1, 2, 3]) await deliver(platform, loadVideoId(at));
    for (const callerId of ['one', 'two', 'three'])
      for (const id of ['botCheck_01', 'captcha_001', 'tryLater_01']) await inspect(id, callerId);
    simulated.simulator.resetRequests();
    await deliver(platform, loadVideoId(4));
    expect(playerCalls('ANDROID')).toBe(1);
  });

  it('a platform is used again a second after a short outage', async () => {
    const platform = openTimed();
    const away = simulated.simulator.faults.add({ fault: 'too_many_requests' });
    for (let video = 1; video <= 9; video += 1) await deliver(platform, loadVideoId(video)).catch(toOutcome);
    later(1_000);
    expect(await deliver(platform, loadVideoId(10)).catch(toOutcome)).toBe('IpBlocked');
    simulated.simulator.faults.remove(away);
    later(2_000);
    expect((await deliver(platform, loadVideoId(11))).cues.length).toBeGreaterThan(0);
  });

  it('probes of open circuits never use up the attempts for the healthy strategy', async () => {
    for (const client of ['ANDROID', 'VISIONOS'] as const) {
      simulated.simulator.faults.add({ match: { client, endpoint: 'player' }, fault: 'server_error' });
    }
    const platform = openTimed({ strategies: rows('android', 'visionos', 'web') });
    for (let video = 1; video <= 3; video += 1) await deliver(platform, loadVideoId(video));
    expect(stateOf(platform, 'visionos')).toBe('open');
    later(30_000);
    simulated.simulator.resetRequests();
    await deliver(platform, loadVideoId(4));
    expect([playerCalls('ANDROID'), playerCalls('VISIONOS')]).toEqual([1, 0]);
  });

  it('a gate for all clients stays a gate and a fault of all, and closes no way to free captions', async () => {
    const platform = openTimed();
    simulated.simulator.faults.add({ fault: 'token_required' });
    const outcomes: unknown[] = [];
    for (let video = 1; video <= 6; video += 1) {
      outcomes.push(await deliver(platform, loadVideoId(video)).catch(toOutcome));
    }
    expect(new Set(outcomes)).toEqual(new Set(['PoTokenRequired']));
    expect(platform.strategyHealth()[0]).toMatchObject({ strategy: 'android', state: 'closed' });
    expect(platform.strategyHealth()[0]?.recent.faulted).toBe(6);
  });

  it('facts about videos leave every strategy healthy', async () => {
    const platform = openTimed();
    for (const id of [
      'private_001',
      'deleted_001',
      'membersOnly',
      'noCaptions1',
      'ageLimit_01',
      'upcoming_01',
    ]) {
      await deliver(platform, id).catch(toOutcome);
    }
    expect(
      platform.strategyHealth().every((route) => route.state === 'closed' && route.lastFailureAt === null),
    ).toBe(true);
  });
});
