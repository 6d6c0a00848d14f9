import { describe, expect, it } from '@jest/globals';
import { type ServiceError, serviceError } from '@tds/errors';
import { createLookUps, createNetworkGate, unknownCredentials } from './network-gate.ts';

describe('lookUps', () => {
  it('run a bounded number at once, and the next when one ends', async () => {
    const lookUps = createLookUps(2, 60_000);
    const running = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
    const begun: number[] = [];
    const results = running.map(({ promise }, n) =>
      lookUps(() => {
        begun.push(n);
        return promise;
      }),
    );
    const settled = Promise.allSettled(results);
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    await settle();
    expect(begun).toEqual([0, 1]);
    running[1]?.reject(new Error('failed'));
    await expect(results[1]).rejects.toThrow('failed');
    await settle();
    expect(begun).toEqual([0, 1, 2]);
    for (const { resolve } of running) resolve(7);
    expect((await settled).filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect(await lookUps(async () => 'again')).toBe('again');
  });

  it('queue only as many as can have their turn', async () => {
    const lookUps = createLookUps(1, 60_000);
    const hanging = Promise.withResolvers<number>();
    const sent = Array.from({ length: 5_000 }, () => lookUps(() => hanging.promise));
    const refused = sent.map((each) =>
      each.then(
        () => 'done',
        ({ code }) => code,
      ),
    );
    await expect(sent.at(-1)).rejects.toMatchObject({ code: 'rate_limit' });
    hanging.resolve(1);
    const done = (await Promise.all(refused)).filter((outcome) => outcome === 'done');
    expect(done).toHaveLength(1_001);
  });

  it('that are late count as an outage, and queued ones do nothing', async () => {
    const lookUps = createLookUps(1, 20);
    const hanging = Promise.withResolvers<void>();
    const first = lookUps(() => hanging.promise);
    let isDone = false;
    const late = lookUps(async () => {
      isDone = true;
    });
    await expect(late).rejects.toMatchObject({ code: 'service_unavailable' });
    hanging.resolve();
    await first;
    expect(isDone).toBe(false);
    expect(await lookUps(async () => 1)).toBe(1);
  });
});

const MAX = 30;
const newGate = () => {
  const state = { nowMs: 0, asked: 0 };
  const gate = createNetworkGate(() => state.nowMs, MAX, unknownCredentials);
  const lookUp = (digest: string, network: string, isGood: boolean) =>
    gate
      .lookUp(
        digest,
        () => network,
        async () => {
          state.asked += 1;
          await Promise.resolve();
          if (!isGood) throw serviceError('invalid_api_key');
          return 'good';
        },
      )
      .catch((error: ServiceError) => error.code);
  const fail = (count: number, network = 'bad') =>
    Promise.all(Array.from({ length: count }, (_, n) => lookUp(`unknown-${n}`, network, false)));
  return { state, gate, lookUp, fail };
};

describe('a network that sends unknown credentials', () => {
  it('is refused without a look-up until its failures are a minute old', async () => {
    const { state, gate, lookUp, fail } = newGate();
    await fail(MAX);
    expect(await lookUp('more', 'bad', false)).toBe('rate_limit');
    expect(state.asked).toBe(MAX);
    state.nowMs = 20_000;
    const refused = gate.lookUp(
      'more',
      () => 'bad',
      async () => 'unasked',
    );
    await expect(refused).rejects.toMatchObject({ data: { retryAfterSeconds: 40 } });
    state.nowMs = 60_000;
    expect(await lookUp('more', 'bad', false)).toBe('invalid_api_key');
  });

  it('has few concurrent look-ups, so that a burst is stopped early', async () => {
    const { state, fail } = newGate();
    const codes = await fail(2_000);
    expect(state.asked).toBeLessThan(MAX + 10);
    expect(codes.filter((code) => code === 'rate_limit')).toHaveLength(2_000 - state.asked);
  });

  it('does not delay known callers or other networks', async () => {
    const { lookUp, gate, fail } = newGate();
    gate.markKnown('by Redis');
    await lookUp('by identity', 'bad', true);
    await fail(2 * MAX);
    expect(await lookUp('by identity', 'bad', true)).toBe('good');
    expect(await lookUp('by Redis', 'bad', true)).toBe('good');
    expect(await lookUp('new', 'bad', true)).toBe('rate_limit');
    expect(await lookUp('new', 'good', true)).toBe('good');
  });

  it('is not blamed for an outage: a look-up that did not run has not failed', async () => {
    const { gate, lookUp } = newGate();
    for (let n = 0; n < 2 * MAX; n += 1) {
      const away = gate.lookUp(
        `${n}`,
        () => 'net',
        () => Promise.reject(serviceError('service_unavailable')),
      );
      await expect(away).rejects.toMatchObject({ code: 'service_unavailable' });
    }
    expect(await lookUp('new', 'net', true)).toBe('good');
  });

  it('with a burst of valid credentials waits in turn and passes', async () => {
    const { state, lookUp } = newGate();
    const all = await Promise.all(Array.from({ length: 200 }, (_, n) => lookUp(`good-${n}`, 'net', true)));
    expect(new Set(all)).toEqual(new Set(['good']));
    expect(state.asked).toBe(200);
  });
});
