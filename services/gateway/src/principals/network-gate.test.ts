import { describe, expect, it } from '@jest/globals';
import { type ServiceError, serviceError } from '@tds/contracts';
import { createNetworkGate, unknownCredentials } from './network-gate.ts';

const MOST = 30;
const newGate = () => {
  const state = { nowMs: 0, asked: 0 };
  const gate = createNetworkGate(() => state.nowMs, MOST, unknownCredentials);
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

describe('a network that sends credentials that are none', () => {
  it('is refused before anybody is asked, until its failures are a minute old', async () => {
    const { state, gate, lookUp, fail } = newGate();
    await fail(MOST);
    expect(await lookUp('more', 'bad', false)).toBe('rate_limit');
    expect(state.asked).toBe(MOST);
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

  it('has few look-ups under way, so that a burst is stopped in its middle', async () => {
    const { state, fail } = newGate();
    const codes = await fail(2_000);
    expect(state.asked).toBeLessThan(MOST + 10);
    expect(codes.filter((code) => code === 'rate_limit')).toHaveLength(2_000 - state.asked);
  });

  it('keeps nobody out who was good here before, and no other network', async () => {
    const { lookUp, gate, fail } = newGate();
    gate.prove('by Redis');
    await lookUp('by identity', 'bad', true);
    await fail(2 * MOST);
    expect(await lookUp('by identity', 'bad', true)).toBe('good');
    expect(await lookUp('by Redis', 'bad', true)).toBe('good');
    expect(await lookUp('new', 'bad', true)).toBe('rate_limit');
    expect(await lookUp('new', 'good', true)).toBe('good');
  });

  it('is not known by an outage: what could not be asked has not failed', async () => {
    const { gate, lookUp } = newGate();
    for (let n = 0; n < 2 * MOST; n += 1) {
      const away = gate.lookUp(
        `${n}`,
        () => 'net',
        () => Promise.reject(serviceError('service_unavailable')),
      );
      await expect(away).rejects.toMatchObject({ code: 'service_unavailable' });
    }
    expect(await lookUp('new', 'net', true)).toBe('good');
  });

  it('a burst of good ones waits in turn and passes whole', async () => {
    const { state, lookUp } = newGate();
    const all = await Promise.all(Array.from({ length: 200 }, (_, n) => lookUp(`good-${n}`, 'net', true)));
    expect(new Set(all)).toEqual(new Set(['good']));
    expect(state.asked).toBe(200);
  });
});
