import { describe, expect, it } from '@jest/globals';
import { publishedDay } from './published-day.ts';

describe('publishedDay', () => {
  it.each([
    ['2024-05-01T23:30:00Z', '2024-05-01'],
    ['2024-05-01T23:30:00-07:00', '2024-05-02'],
    ['2024-05-01T23:30:00', '2024-05-01'],
    ['2024-05-01', '2024-05-01'],
  ])('the day of %s is the UTC day %s', (publishedAt, day) => {
    expect(publishedDay(publishedAt)).toBe(day);
  });

  it.each([null, '', 'yesterday', '../../etc', '+012345-01-01T00:00:00Z'])(
    'no day is guessed from %j',
    (publishedAt) => {
      expect(publishedDay(publishedAt)).toBeNull();
    },
  );
});
