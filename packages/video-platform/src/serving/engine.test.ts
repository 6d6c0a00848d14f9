import { describe, expect, it } from '@jest/globals';
import { type Attempt, broken, meanings, refusal } from '../classification/refusal.ts';
import { defaultLimits } from '../config/limits.ts';
import { defaultStrategies } from '../config/strategies.ts';
import { directExit } from '../transport/exits.ts';
import { OpenExit } from '../transport/session-pool.ts';
import { createRoute, type Route } from './engine.ts';

const at = new Date('2026-06-01T00:00:00Z');
const route = (): Route => {
  const [strategy] = defaultStrategies;
  const [exit] = directExit;
  if (strategy === undefined || exit === undefined) throw new Error('no default route');
  return createRoute(strategy, new OpenExit(exit, defaultLimits), defaultLimits, () => at);
};
const failing: Attempt<never> = { kind: 'refused', refusal: refusal('network', meanings.unreachable) };
const strange: Attempt<never> = { kind: 'refused', refusal: broken('garbage') };
const fact: Attempt<never> = { kind: 'refused', refusal: refusal('private', meanings.gone) };
const odd: Attempt<never> = { kind: 'refused', refusal: refusal('unknown_status', meanings.odd) };
const good: Attempt<string> = { kind: 'ok', value: 'x' };

const { signal } = new AbortController();
const feed = async (tested: Route, attempt: Attempt<string>, ...videos: readonly string[]) => {
  for (const videoId of videos)
    await tested.player.run({ videoId, callerId: null, signal }, async () => attempt);
};
/** Feeds results to a route, each of another video. */
const feedFor = async (tested: Route, attempt: Attempt<string>, ...callers: readonly string[]) => {
  for (const [at, callerId] of callers.entries()) {
    await tested.player.run({ videoId: `v${at}`, callerId, signal }, async () => attempt);
  }
};

describe('createRoute', () => {
  it('opens on failures of different videos', async () => {
    const tested = route();
    await feed(tested, failing, 'a', 'b', 'c');
    expect(tested.health()).toMatchObject({
      state: 'open',
      lastFailureAt: at,
    });
  });

  it('stays closed after failures of one video, however many', async () => {
    const tested = route();
    await feed(tested, failing, ...Array.from({ length: 30 }, () => 'a'));
    expect(tested.health().state).toBe('closed');
  });

  it('stays closed after odd videos of one caller, however many', async () => {
    const tested = route();
    await feedFor(tested, strange, ...Array.from({ length: 30 }, () => 'one'));
    expect(tested.health().state).toBe('closed');
  });

  it('opens on unreadable answers if different callers get them', async () => {
    const tested = route();
    await feedFor(tested, strange, 'one', 'one', 'two', 'one', 'three');
    expect(tested.health().state).toBe('open');
  });

  it('opens for one caller and any video if the platform cannot be reached', async () => {
    const tested = route();
    await feedFor(tested, failing, 'one', 'one', 'one');
    expect(tested.health().state).toBe('open');
  });

  it('stays closed after odd videos of different callers while it serves another video', async () => {
    const tested = route();
    await feed(tested, good, 'served');
    for (let round = 0; round < 10; round += 1) {
      await feedFor(tested, failing, 'one', 'two', 'three', 'four');
      await feedFor(tested, strange, 'one', 'two', 'three', 'four');
    }
    expect(tested.health()).toMatchObject({ state: 'closed', lastFailureAt: null });
  });

  it('opens when it no longer serves the video it served last, checked once for concurrent callers', async () => {
    const tested = route();
    let [serves, asked] = [true, 0];
    await tested.player.run({ videoId: 'served', callerId: null, signal }, async () => {
      asked += 1;
      return serves ? good : failing;
    });
    serves = false;
    await Promise.all(['a', 'b', 'c'].map((videoId) => feed(tested, failing, videoId)));
    expect([tested.health().state, asked]).toEqual(['open', 2]);
  });

  it.each([
    ['facts about videos', fact],
    ['unreadable answers', odd],
    ['cancelled requests', { kind: 'cancelled' } as const],
  ])('ignores %s', async (_, attempt) => {
    const tested = route();
    await feed(tested, attempt, 'a', 'b', 'c', 'd', 'e', 'f');
    expect(tested.health()).toMatchObject({ state: 'closed', lastFailureAt: null });
  });

  it('is as healthy as the worse of player and captions', async () => {
    const tested = route();
    for (const videoId of ['a', 'b', 'c'])
      await tested.timedtext.run({ videoId, callerId: null, signal }, async () => failing);
    expect(tested.health().state).toBe('open');
    expect(tested.player.isReady()).toBe(true);
    expect(tested.timedtext.isReady()).toBe(false);
  });

  it('reports when it last served, and what its last requests came to', async () => {
    const tested = route();
    expect(tested.health()).toMatchObject({ lastSuccessAt: null, recent: { ended: 0, faulted: 0 } });
    await feed(tested, good, 'a', 'b');
    expect(tested.health()).toMatchObject({ lastSuccessAt: at, recent: { ended: 2, faulted: 0 } });
  });
});
