import { describe, expect, it } from '@jest/globals';
import { dayOf, daysBefore, daysFrom, labelled, ticksTo, totalOf } from './steps.ts';

const row = (date: string, credits_charged: number, cache_hits = 0, failures = 0) => ({
  date,
  credits_charged,
  cache_hits,
  failures,
});

describe('the days of a plot', () => {
  it('have a place for each day, also for those without use', () => {
    const days = daysFrom('2026-02-27', 4, [row('2026-02-27', 1), row('2026-03-01', 2, 3, 4)]);
    expect(days.map(({ date }) => date)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
    expect(days.map(totalOf)).toEqual([1, 0, 9, 0]);
  });

  it('add up the keys of a day', () => {
    const [day] = daysFrom('2026-03-01', 1, [row('2026-03-01', 2, 1), row('2026-03-01', 3, 0, 1)]);
    expect(day).toEqual({ date: '2026-03-01', charged: 5, cached: 1, failed: 1 });
  });

  it('are UTC days across a change of the month and of the clock', () => {
    expect(daysBefore('2026-03-30', 1)).toBe('2026-03-29');
    expect(daysBefore('2026-03-01', 1)).toBe('2026-02-28');
    expect(dayOf(Date.parse('2026-10-25T23:59:59Z'))).toBe('2026-10-25');
  });
});

describe('the ticks of an axis', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [9, [0, 5, 10]],
    [72, [0, 20, 40, 60, 80]],
    [80, [0, 20, 40, 60, 80]],
    [20_000, [0, 5_000, 10_000, 15_000, 20_000]],
  ])('for %s are round and reach it', (largest, ticks) => {
    expect(ticksTo(largest)).toEqual(ticks);
  });
});

describe('the labels of days', () => {
  it('end with the last day, and never overlap', () => {
    expect(labelled(30, 900, 60)).toEqual(expect.arrayContaining([29]));
    const narrow = labelled(30, 300, 60);
    expect(narrow.at(-1)).toBe(29);
    expect(narrow.length).toBeLessThanOrEqual(5);
  });

  it('leave out none if there is room', () => {
    expect(labelled(3, 300, 60)).toEqual([0, 1, 2]);
  });
});
