import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createCircuit, type Effect } from './circuit.ts';

const WAITS = [1000, 5000];
let nowMs = 0;
let chance = 0;
beforeEach(() => {
  nowMs = 0;
  chance = 0;
});
const later = (ms: number) => {
  nowMs += ms;
};
const circuit = () =>
  createCircuit<Effect>((effect) => effect, {
    failuresToOpen: 3,
    waitsMs: WAITS,
    clock: () => new Date(nowMs),
    random: () => chance,
  });
type Tested = ReturnType<typeof circuit>;

const feed = async (tested: Tested, ...effects: readonly Effect[]) => {
  for (const effect of effects) await tested.run(async () => effect);
};
const open = (tested: Tested) => feed(tested, 'failure', 'failure', 'failure');

describe('createCircuit', () => {
  it('opens after failures in a row; a success in between resets the count', async () => {
    const tested = circuit();
    await feed(tested, 'failure', 'failure', 'success', 'failure', 'failure');
    expect(tested.state()).toBe('closed');
    await feed(tested, 'failure');
    expect(tested.state()).toBe('open');
  });

  it('opens for a flapping route', async () => {
    const tested = circuit();
    for (let round = 0; round < 6; round += 1) await feed(tested, 'success', 'failure');
    expect(tested.state()).toBe('open');
  });

  it('ignores neutral results', async () => {
    const tested = circuit();
    await feed(tested, 'failure', 'neutral', 'failure', 'neutral', 'neutral');
    expect(tested.state()).toBe('closed');
    await feed(tested, 'failure');
    expect(tested.state()).toBe('open');
  });

  it('rejects callers at once while open', async () => {
    const tested = circuit();
    await open(tested);
    const work = jest.fn(async (): Promise<Effect> => 'success');
    expect(await tested.run(work)).toBeNull();
    expect(work).not.toHaveBeenCalled();
    expect(tested.isReady()).toBe(false);
  });

  it('lets one probe through after the wait, and no other call waits for it', async () => {
    const tested = circuit();
    await open(tested);
    later(WAITS[0] ?? 0);
    expect(tested.isReady()).toBe(true);
    const { promise, resolve } = Promise.withResolvers<Effect>();
    const probe = tested.run((isProbe) => {
      expect(isProbe).toBe(true);
      return promise;
    });
    expect(tested.state()).toBe('half_open');
    expect(tested.isReady()).toBe(false);
    expect(await tested.run(async () => 'success')).toBeNull();
    resolve('success');
    expect(await probe).toBe('success');
    expect(tested.state()).toBe('closed');
  });

  it('stays open, for longer, after a failed probe', async () => {
    const tested = circuit();
    await open(tested);
    later(WAITS[0] ?? 0);
    expect(await tested.run(async () => 'failure')).toBe('failure');
    expect(tested.state()).toBe('open');
    later(WAITS[0] ?? 0);
    expect(tested.isReady()).toBe(false);
    later(WAITS[1] ?? 0);
    expect(tested.isReady()).toBe(true);
  });

  it('stays open after a neutral probe, and is probed again soon, however often', async () => {
    const tested = circuit();
    await open(tested);
    for (let probe = 0; probe < 5; probe += 1) {
      later(WAITS[0] ?? 0);
      expect(await tested.run(async () => 'neutral')).toBe('neutral');
      expect(tested.state()).toBe('open');
      expect(tested.isReady()).toBe(false);
    }
  });

  it('returns the time until the next try', async () => {
    const tested = circuit();
    expect(tested.dueInMs()).toBe(0);
    await open(tested);
    expect(tested.dueInMs()).toBe(1000);
    later(400);
    expect(tested.dueInMs()).toBe(600);
    later(700);
    expect(tested.dueInMs()).toBe(0);
  });

  it('starts with the short wait again after it was closed', async () => {
    const tested = circuit();
    await open(tested);
    later(WAITS[0] ?? 0);
    await feed(tested, 'success');
    await open(tested);
    later(WAITS[0] ?? 0);
    expect(tested.isReady()).toBe(true);
  });

  it('shortens waits at random by up to a quarter, so that instances do not return together', async () => {
    const tested = circuit();
    chance = 1;
    await open(tested);
    later(749);
    expect(tested.isReady()).toBe(false);
    later(1);
    expect(tested.isReady()).toBe(true);
  });

  it('probes a platform that stays away once per wait; the last wait repeats', async () => {
    const tested = circuit();
    await open(tested);
    const probes: number[] = [];
    for (; nowMs < 20_000; later(100)) {
      await tested.run(async (): Promise<Effect> => {
        probes.push(nowMs);
        return 'failure';
      });
    }
    expect(probes).toEqual([1000, 6000, 11_000, 16_000]);
  });
});
