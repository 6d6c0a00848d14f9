import { describe, expect, it } from '@jest/globals';
import { newPrincipal } from '../test-support/builders.ts';
import { createAdmission } from './admission.ts';
import { createBlocks } from './blocks.ts';
import { keyLimits } from './limits.ts';
import { createLocalLimiter } from './local-limiter.ts';
import type { RedisAnswer } from './redis-admission.ts';

const principal = newPrincipal();
const decided = {
  kind: 'decided',
  waitMs: 0,
  principal: null,
  balance: 'text',
  body: null,
  read: 'none',
  taken: '0',
} as const;

const reads = { countLocally: () => 'counted' as const };

const admitWith = (answer: RedisAnswer | null, known = true) =>
  createAdmission({
    redis: async () => answer,
    local: createLocalLimiter(),
    blocks: createBlocks(
      () => 0,
      () => new Date(0),
    ),
    reads,
    clock: () => 0,
    limits: keyLimits,
  }).ask({ keyDigest: 'digest', known: known ? principal : null, wantedKey: null });

describe('admission', () => {
  it('follows Redis where it answers', async () => {
    expect(await admitWith({ ...decided, waitMs: 5 })).toMatchObject({
      waitMs: 5,
      balance: 'text',
      isLearnt: false,
    });
  });

  it('learns the principal from its projection', async () => {
    const text = JSON.stringify({ version: 0, value: principal });
    expect(await admitWith({ ...decided, principal: text }, false)).toMatchObject({
      principal,
      isLearnt: true,
    });
  });

  it.each(['', '{', '{}', 'null', '{"version":0,"value":{"tier":"gold"}}'])(
    'takes the projection %j for none',
    async (text) => {
      expect(await admitWith({ ...decided, principal: text }, false)).toBeNull();
    },
  );

  it('knows nobody where neither this process nor Redis does', async () => {
    expect(await admitWith({ kind: 'unknown-key' }, false)).toBeNull();
    expect(await admitWith(null, false)).toBeNull();
  });

  it('counts by itself while Redis is away', async () => {
    const { ask } = createAdmission({
      redis: async () => null,
      local: createLocalLimiter(),
      blocks: createBlocks(
        () => 0,
        () => new Date(0),
      ),
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
