import { describe, expect, it } from '@jest/globals';
import { newPrincipal } from '../test-support/builders.ts';
import { createAdmission } from './admission.ts';
import { HELD_BODY, PERMITS_ONLY, type RedisAnswer, type RedisAsk } from './admit-script.ts';
import { keyLimits } from './limits.ts';
import { createLocalLimiter } from './local-limits.ts';
import { createPermitBlocks } from './permit-blocks.ts';

const principal = newPrincipal();
const decided = {
  kind: 'decided',
  waitMs: 0,
  principal: null,
  balance: 'text',
  read: 'none',
  taken: '0',
} as const;

const reads = { countLocally: () => 'counted' as const };
const newBlocks = (clock: () => number) => {
  const blocks = () => createPermitBlocks(clock, () => new Date(0));
  return { reads: blocks(), uncounted: blocks() };
};

const admitWith = (answer: RedisAnswer | null, known = true) =>
  createAdmission({
    redis: async () => answer,
    local: createLocalLimiter(),
    blocks: newBlocks(() => 0),
    reads,
    clock: () => 0,
    limits: keyLimits,
  }).ask({ keyDigest: 'digest', known: known ? principal : null, wantedKey: null });

describe('admission', () => {
  it('follows Redis if it answers', async () => {
    expect(await admitWith({ ...decided, waitMs: 5 })).toMatchObject({
      waitMs: 5,
      balance: 'text',
      isLearnt: false,
    });
  });

  it('learns the principal that Redis knows', async () => {
    expect(await admitWith({ ...decided, principal }, false)).toMatchObject({ principal, isLearnt: true });
  });

  it('knows nobody if neither this process nor Redis does', async () => {
    expect(await admitWith({ kind: 'unknown-key' }, false)).toBeNull();
    expect(await admitWith(null, false)).toBeNull();
  });

  it('counts by itself while Redis is away', async () => {
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
      waits.push((await ask({ keyDigest: 'digest', known: principal, wantedKey: null }))?.waitMs ?? -1);
    }
    expect(waits).toEqual([...Array(60).fill(0), 60_000, 60_000]);
  });
});

describe('a key that is busy here', () => {
  const newBusyKey = async () => {
    const state = {
      clock: 0,
      asks: [] as RedisAsk[],
      answer: { ...decided, read: 'counted', taken: '4:77' } as RedisAnswer,
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
    await admit.ask({ keyDigest: 'digest', known: principal, wantedKey: HELD_BODY });
    const key = { keyDigest: 'digest', principal, kind: 'reads' as const };
    return { state, admit, key, atOnce: () => admit.atOnce(key, HELD_BODY) };
  };

  it('is admitted without a question, and says when its permits run low', async () => {
    const { state, atOnce } = await newBusyKey();
    const decisions = Array.from({ length: 5 }, atOnce);
    expect(decisions).toEqual(['admitted', 'admitted', 'admitted-and-low', 'admitted-and-low', null]);
    expect(state.asks).toHaveLength(1);
  });

  it('has permits again once they are renewed; its principal is looked at if that is wanted', async () => {
    const { state, admit, key, atOnce } = await newBusyKey();
    while (atOnce() !== null);
    await admit.renew(key, { rereads: false });
    expect(state.asks[1]).toMatchObject({ known: principal, wantedKey: PERMITS_ONLY, block: { ahead: 1 } });
    expect(atOnce()).toBe('admitted');
    state.answer = { ...decided, principal, taken: '1:78' };
    expect(await admit.renew(key, { rereads: true })).toMatchObject({ isLearnt: true, principal });
    expect(state.asks[2]).toMatchObject({ known: null, block: { back: '3:77' } });
  });

  it('is renewed once at a time', async () => {
    const { state, admit, key } = await newBusyKey();
    const both = [admit.renew(key, { rereads: false }), admit.renew(key, { rereads: false })];
    expect((await Promise.all(both)).filter((renewed) => renewed === null)).toHaveLength(1);
    expect(state.asks).toHaveLength(2);
  });

  it('is refused without a question while it is over its limit', async () => {
    const { state, admit, key, atOnce } = await newBusyKey();
    while (atOnce() !== null);
    state.answer = { ...decided, waitMs: 700 };
    await admit.renew(key, { rereads: false });
    expect(atOnce()).toBe(700);
    state.clock = 700;
    expect(atOnce()).toBeNull();
  });
});
