import { describe, expect, it } from '@jest/globals';
import { transcriptFetcher } from '@tds/contracts';
import { testContext } from '@tds/service-kit/testing';
import { observeStrategies } from './observe-strategies.ts';

const now = () => new Date('2026-11-20T12:00:00.000Z');
const seen = { lastSuccessAt: null, lastFailureAt: null, lastFailureCode: null, p50LatencyMs: 80 };

/** What is told of strategies in these states, in which transaction. */
const observe = async (states: readonly ('closed' | 'open' | 'half_open')[]) => {
  const told: { event: unknown; payload: unknown }[] = [];
  const strategyHealth = () =>
    states.map((state, at) => ({ strategy: `client ${at}`, egress: 'direct', state, ...seen }));
  const db = {};
  const messaging = {
    transaction: (client: object, work: (tx: object, send: object) => Promise<void>) => {
      expect(client).toBe(db);
      const emit = async (event: unknown, payload: unknown) => void told.push({ event, payload });
      return work({}, { emit });
    },
  };
  const deps = { db, messaging, platform: { strategyHealth }, now };
  await observeStrategies(deps as never, testContext());
  return told;
};

describe('how the serving strategies fare', () => {
  it('is told by each instance as it sees them, one that is tried again being healthy until it fails', async () => {
    const [told, ...more] = await observe(['closed', 'open', 'half_open']);
    expect(more).toEqual([]);
    expect(told?.event).toBe(transcriptFetcher.strategyObserved);
    expect(transcriptFetcher.strategyObserved.payload.parse(told?.payload)).toEqual({
      observedAt: '2026-11-20T12:00:00.000Z',
      strategies: [
        { strategy: 'client 0', exit: 'direct', healthy: true },
        { strategy: 'client 1', exit: 'direct', healthy: false },
        { strategy: 'client 2', exit: 'direct', healthy: true },
      ],
    });
  });

  it('is told also where nothing has been asked yet, so that a silent instance is known', async () => {
    expect(await observe([])).toMatchObject([{ payload: { strategies: [] } }]);
  });
});
