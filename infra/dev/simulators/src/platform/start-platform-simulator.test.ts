import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { startPlatformSimulator } from './start-platform-simulator.ts';
import { postPlayer } from './test-support/platform-client.ts';

const LONG_MS = 20_000;

describe('closing', () => {
  it.each(['hangs_00001', 'slowDrip_01', 'endless10GB', 'slow30sec01'])(
    'ends connections at once while %s is under way',
    async (id) => {
      const simulator = await startPlatformSimulator();
      const ended = postPlayer(simulator.origin, 'ANDROID', id, {}, LONG_MS).then(
        () => 'answered',
        () => 'broken off',
      );
      for (let tries = 0; simulator.requests().total === 0 && tries < 200; tries += 1) await delay(5);
      await simulator.close();
      expect(await ended).toBe('broken off');
    },
  );

  it('gives the port back, and a taken port is refused', async () => {
    const first = await startPlatformSimulator();
    const port = Number(new URL(first.origin).port);
    await expect(startPlatformSimulator({ port })).rejects.toThrow(/EADDRINUSE/);
    await first.close();
    const second = await startPlatformSimulator({ port });
    expect(second.origin).toBe(first.origin);
    await second.close();
  });

  it('is reachable on the loopback address only', async () => {
    const simulator = await startPlatformSimulator();
    expect(new URL(simulator.origin).hostname).toBe('127.0.0.1');
    await simulator.close();
  });
});

describe('holding', () => {
  it('answers no request meanwhile, and all of them when it is released', async () => {
    const simulator = await startPlatformSimulator();
    const release = simulator.hold();
    const answered: string[] = [];
    const asking = ['manualEn001', 'manyLangs01'].map(async (id) => {
      const { status } = await postPlayer(simulator.origin, 'ANDROID', id, {}, LONG_MS);
      answered.push(`${id} ${status}`);
    });
    while (simulator.requests().total < asking.length) await delay(5);
    expect(answered).toEqual([]);
    release();
    await Promise.all(asking);
    expect(answered.toSorted()).toEqual(['manualEn001 200', 'manyLangs01 200']);
    await simulator.close();
  });
});
