import { describe, expect, it } from '@jest/globals';
import { codeThrottles, throttled } from './code-throttles.ts';
import { later } from './time.ts';

const now = new Date('2026-01-15T12:00:00.000Z');
const throttles = codeThrottles('a@ex.com', '203.0.113.0/24', { perHour: 20, perDay: 60 });
const hit = (scope: string, hits: number, startedMsAgo: number) => ({
  scope,
  hits,
  startedAt: later(now, -startedMsAgo),
});

describe('throttled', () => {
  it('lets the last allowed hit pass and refuses the next', () => {
    expect(throttled(throttles, [hit('address-hour', 3, 0)], now)).toBeNull();
    expect(throttled(throttles, [hit('address-hour', 4, 600_000)], now)?.data).toMatchObject({
      code: 'signup_rate_limited',
      retryAfterSeconds: 3_000,
    });
  });

  it('names the wait that clears all of them', () => {
    const hits = [hit('address-hour', 4, 0), hit('network-day', 61, 3_600_000), hit('network-hour', 2, 0)];
    expect(throttled(throttles, hits, now)?.data.retryAfterSeconds).toBe(23 * 3_600);
  });
});
