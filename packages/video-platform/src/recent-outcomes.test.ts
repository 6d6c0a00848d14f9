import { describe, expect, it } from '@jest/globals';
import { createRecentOutcomes } from './recent-outcomes.ts';

describe('recent outcomes', () => {
  it('are those of the last five minutes', () => {
    let now = new Date('2026-01-15T12:00:00Z').getTime();
    const outcomes = createRecentOutcomes(() => new Date(now));
    expect(outcomes.counts()).toEqual({ ended: 0, faulted: 0 });
    outcomes.add(true);
    now += 120_000;
    outcomes.add(false);
    outcomes.add(true);
    expect(outcomes.counts()).toEqual({ ended: 3, faulted: 2 });
    now += 200_000;
    expect(outcomes.counts()).toEqual({ ended: 2, faulted: 1 });
    now += 300_000;
    expect(outcomes.counts()).toEqual({ ended: 0, faulted: 0 });
  });

  it('survive a clock that is put back', () => {
    let now = new Date('2026-01-15T12:00:00Z').getTime();
    const outcomes = createRecentOutcomes(() => new Date(now));
    outcomes.add(true);
    now -= 3_600_000;
    outcomes.add(false);
    expect(outcomes.counts()).toEqual({ ended: 1, faulted: 0 });
  });
});
