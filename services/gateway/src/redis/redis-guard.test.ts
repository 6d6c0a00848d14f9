import { describe, expect, it } from '@jest/globals';
import { createGuardedBatcher, createRedisGuard } from './redis-guard.ts';

const newGuard = (timeoutMs = 20) => {
  const calls: string[] = [];
  const state = { nowMs: 0 };
  const guard = createRedisGuard({
    clock: () => state.nowMs,
    timeoutMs,
    pauseMs: 1_000,
    onAway: () => calls.push('away'),
    onBack: () => calls.push('back'),
  });
  return { guard, calls, state };
};

const never = () => new Promise<never>(() => {});
const fails = () => Promise.reject(new Error('refused'));
const works = async () => 'answer';

describe('the guard of Redis', () => {
  it('returns null after a failure or silence, never an error', async () => {
    expect(await newGuard().guard.run(fails)).toBeNull();
    expect(await newGuard().guard.run(never)).toBeNull();
  });

  it('leaves Redis alone for a second after a failure, then lets one request try', async () => {
    const { guard, calls, state } = newGuard();
    await guard.run(fails);
    let asked = 0;
    const counting = async () => {
      asked += 1;
      return 'answer';
    };
    state.nowMs = 999;
    expect(await guard.run(counting)).toBeNull();
    expect(asked).toBe(0);
    state.nowMs = 1_000;
    expect(await Promise.all([guard.run(counting), guard.run(counting)])).toEqual(['answer', null]);
    expect(await guard.run(counting)).toBe('answer');
    expect(calls).toEqual(['away', 'back']);
  });

  it('continues after one late answer, and pauses after two in a row', async () => {
    const { guard } = newGuard();
    await guard.run(never);
    expect(guard.isAway()).toBe(false);
    expect(await guard.run(works)).toBe('answer');
    await guard.run(never);
    expect(guard.isAway()).toBe(false);
    await guard.run(never);
    expect(guard.isAway()).toBe(true);
  });

  it('logs an outage once, however long it lasts', async () => {
    const { guard, calls, state } = newGuard();
    for (let round = 0; round < 3; round += 1) {
      await guard.run(fails);
      state.nowMs += 1_000;
    }
    expect(calls).toEqual(['away']);
  });

  it('does not blame Redis for a busy process: an answer that has arrived counts', async () => {
    const { guard } = newGuard(5);
    const answered = guard.run(() => new Promise((resolve) => setImmediate(resolve, 'answer')));
    const until = performance.now() + 50;
    while (performance.now() < until);
    expect(await answered).toBe('answer');
    expect(await guard.run(works)).toBe('answer');
  });
});

describe('requests in batches', () => {
  const newBatcher = () => {
    const { guard, state } = newGuard(60_000);
    const sent: PromiseWithResolvers<readonly string[]>[] = [];
    const batches: (readonly number[])[] = [];
    const ask = createGuardedBatcher(guard, (requests: readonly number[]) => {
      batches.push(requests);
      sent.push(Promise.withResolvers());
      return sent.at(-1)!.promise;
    });
    return { ask, sent, batches, state };
  };
  const turn = () => new Promise(setImmediate);

  it('collect during a round trip, and each gets its own answer', async () => {
    const { ask, sent, batches } = newBatcher();
    const answers = [ask(1), ask(2)];
    await turn();
    answers.push(ask(3), ask(4));
    await turn();
    expect(batches).toEqual([[1, 2]]);
    sent[0]?.resolve(['one', 'two']);
    await turn();
    await turn();
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ]);
    sent[1]?.resolve(['three', 'four']);
    expect(await Promise.all(answers)).toEqual(['one', 'two', 'three', 'four']);
  });

  it('are 64 at most', async () => {
    const { ask, sent, batches } = newBatcher();
    const answers = Array.from({ length: 65 }, (_, n) => ask(n));
    await turn();
    expect(batches.map(({ length }) => length)).toEqual([64]);
    sent[0]?.resolve(Array.from({ length: 64 }, () => 'one of 64'));
    await turn();
    await turn();
    sent[1]?.resolve(['the last']);
    expect(await answers[64]).toBe('the last');
  });

  it('get null from an outage, and then do not wait for the one that tries Redis', async () => {
    const { ask, sent, batches, state } = newBatcher();
    const answers = [ask(1), ask(2)];
    await turn();
    sent[0]?.reject(new Error('refused'));
    expect(await Promise.all(answers)).toEqual([null, null]);
    state.nowMs = 1_000;
    const trying = ask(3);
    expect(await ask(4)).toBeNull();
    sent[1]?.resolve(['three']);
    expect(await trying).toBe('three');
    expect(batches).toEqual([[1, 2], [3]]);
  });
});
