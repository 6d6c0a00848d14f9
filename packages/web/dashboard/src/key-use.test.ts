import { describe, expect, it } from '@jest/globals';
import { currentKey, monthStart, sumCredits } from './key-use.ts';

describe('what a key has used', () => {
  it('is summed for the day and the month, apart from other keys, those of sessions together', () => {
    const row = (date: string, key_id: string | null, credits_charged: number) => ({
      ...{
        date,
        key_id,
        credits_charged,
        person_id: 'p',
        via: key_id === 'session' ? ('dashboard' as const) : null,
      },
    });
    const uses = sumCredits(
      [
        row('2026-03-01', 'a', 4),
        row('2026-03-09', 'a', 3),
        row('2026-03-09', 'b', 1),
        row('2026-03-09', null, 9),
        row('2026-03-01', 'session', 2),
      ],
      '2026-03-09',
    );
    expect([...uses]).toEqual([
      ['a', { today: 3, month: 7 }],
      ['b', { today: 1, month: 1 }],
      ['dashboard', { today: 9, month: 11 }],
    ]);
    expect(
      sumCredits([row('2026-03-09', 'a', 3), row('2026-03-01', 'b', 1)], '2026-03-09', () => 'p').get('p'),
    ).toEqual({
      ...{ today: 3, month: 4 },
    });
    expect(monthStart('2026-03-09')).toBe('2026-03-01');
  });

  it('counts for the key that has its place after rotations', () => {
    const keys = [
      { id: 'a', replaced_by: 'b' },
      { id: 'b', replaced_by: 'c' },
      { id: 'c', replaced_by: null },
    ];
    expect(['a', 'b', 'c', 'unknown'].map((id) => currentKey(id, keys))).toEqual(['c', 'c', 'c', 'unknown']);
  });
});
