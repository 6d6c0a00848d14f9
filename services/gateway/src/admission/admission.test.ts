import { describe, expect, it } from '@jest/globals';
import { newPrincipal } from '../test-support/builders.ts';
import { createAdmission } from './admission.ts';
import { keyLimits } from './limits.ts';
import { createLocalLimiter } from './local-limits.ts';
import { createPermitBlocks, NO_PERMITS } from './permits.ts';
import type { RedisDecision, RedisRequest } from './redis-admission.ts';

const principal = newPrincipal();
const decided: RedisDecision = { principal, waitMs: 0, balance: 'text', read: 'none', permits: NO_PERMITS };

const reads = { countLocally: () => 'counted' as const };
const newBlocks = (clock: () => number) => {
  const blocks = () => createPermitBlocks(clock, () => new Date(0));
  return { body: blocks(), page: blocks() };
};

const admitWith = (answer: RedisDecision | 'unknown-key' | null, known = true) =>
  createAdmission({
    redis: async () => answer,
    local: createLocalLimiter(),
    blocks: newBlocks(() => 0),
    reads,
    clock: () => 0,
    limits: keyLimits,
  }).ask({ keyDigest: 'digest', principal: known ? principal : null, use: null });

describe('admission', () => {
  it('follows Redis if it answers', async () => {
    expect(await admitWith({ ...decided, waitMs: 5 })).toMatchObject({
      waitMs: 5,
      balance: 'text',
      isNew: false,
    });
  });

  it('takes the principal from Redis', async () => {
    expect(await admitWith(decided, false)).toMatchObject({ principal, isNew: true });
  });

  it('returns null if neither this process nor Redis knows the key', async () => {
    expect(await admitWith('unknown-key', false)).toBeNull();
    expect(await admitWith(null, false)).toBeNull();
  });

  it('counts by itself while Redis is away, all tokens of a connection together', async () => {
    const { ask } = createAdmission({
      redis: async () => null,
      local: createLocalLimiter(),
      blocks: newBlocks(() => 0),
      reads,
      clock: () => 0,
      limits: keyLimits,
    });
    const waits: number[] = [];
    for (let round = 0; round < 62; round += 1) {
      const keyDigest = `token ${round % 3}`;
      waits.push((await ask({ keyDigest, principal, use: null }))?.waitMs ?? -1);
    }
    expect(waits).toEqual([...Array(60).fill(0), 60_000, 60_000]);
  });
});

describe('a busy key', () => {
  const newBusyKey = async () => {
    const state = {
      clock: 0,
      asks: [] as RedisRequest[],
      answer: { ...decided, read: 'counted', permits: { count: 4, moment: '77' } } as RedisDecision,
    };
    const admit = createAdmission({
      redis: async (ask) => {
        state.asks.push(ask);
        return state.answer;
      },
      local: createLocalLimiter(),
      blocks: newBlocks(() => state.clock),
      reads,
      clock: () => state.clock,
      limits: keyLimits,
    });
    await admit.ask({ keyDigest: 'digest', principal, use: 'body' });
    const key = { keyDigest: 'digest', principal, kind: 'body' as const };
    return { state, admit, key, atOnce: () => admit.decideLocally(key, 'body') };
  };

  it('is admitted without Redis, and reports when its permits run low', async () => {
    const { state, atOnce } = await newBusyKey();
    const decisions = Array.from({ length: 5 }, atOnce);
    expect(decisions).toEqual(['admitted', 'admitted', 'admitted-and-low', 'admitted-and-low', null]);
    expect(state.asks).toHaveLength(1);
  });

  it('has permits again once they are renewed; its principal is read if requested', async () => {
    const { state, admit, key, atOnce } = await newBusyKey();
    while (atOnce() !== null);
    await admit.renew(key, { rereads: false });
    expect(state.asks[1]).toMatchObject({ principal, isRenewal: true, order: { ahead: 1 } });
    expect(atOnce()).toBe('admitted');
    state.answer = { ...decided, permits: { count: 1, moment: '78' } };
    expect(await admit.renew(key, { rereads: true })).toMatchObject({ isNew: true, principal });
    expect(state.asks[2]).toMatchObject({ principal: null, order: { unused: { count: 3, moment: '77' } } });
  });

  it('is renewed once at a time', async () => {
    const { state, admit, key } = await newBusyKey();
    const both = [admit.renew(key, { rereads: false }), admit.renew(key, { rereads: false })];
    expect((await Promise.all(both)).filter((renewed) => renewed === null)).toHaveLength(1);
    expect(state.asks).toHaveLength(2);
  });

  it('is refused without Redis while it is over its limit', async () => {
    const { state, admit, key, atOnce } = await newBusyKey();
    while (atOnce() !== null);
    state.answer = { ...decided, waitMs: 700 };
    await admit.renew(key, { rereads: false });
    expect(atOnce()).toBe(700);
    state.clock = 700;
    expect(atOnce()).toBeNull();
  });
});
