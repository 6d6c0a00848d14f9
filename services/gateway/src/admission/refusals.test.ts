import { describe, expect, it } from '@jest/globals';
import { createRefusals } from './admission.ts';

describe('the memory of refusals', () => {
  it('spares Redis until the next permit is free', () => {
    const refusals = createRefusals();
    refusals.keep('key', 60, 1_000, 0);
    expect([0, 400, 999, 1_000].map((ms) => refusals.waitMs('key', 60, ms))).toEqual([1_000, 600, 1, 0]);
  });

  it('expires after five seconds, because Redis may have lost the counter', () => {
    const refusals = createRefusals();
    refusals.keep('key', 60, 50_000, 0);
    expect(refusals.waitMs('key', 60, 4_999)).toBe(45_001);
    expect(refusals.waitMs('key', 60, 5_000)).toBe(0);
  });

  it('does not apply to another key, or to another limit', () => {
    const refusals = createRefusals();
    refusals.keep('key', 60, 1_000, 0);
    expect(refusals.waitMs('other', 60, 0)).toBe(0);
    expect(refusals.waitMs('key', 300, 0)).toBe(0);
  });
});
