import { describe, expect, it } from '@jest/globals';
import { codeThrottles, refusedCode } from './sign-in-code.ts';
import { later } from './time.ts';

const now = new Date('2026-01-15T12:00:00.000Z');
const throttles = codeThrottles(
  'a@ex.com',
  { network: '203.0.113.0/24', device: null },
  { perHour: 20, perDay: 60 },
);
const hit = (scope: string, hits: number, startedMsAgo: number) => ({
  scope,
  hits,
  startedAt: later(now, -startedMsAgo),
});

describe('refusedCode', () => {
  it('accepts the last allowed hit and rejects the next', () => {
    expect(refusedCode(throttles, [hit('address-hour', 3, 0)], now)).toBeNull();
    expect(refusedCode(throttles, [hit('address-hour', 4, 600_000)], now)?.data).toMatchObject({
      code: 'signup_rate_limited',
      retryAfterSeconds: 3_000,
    });
  });

  it('gives the wait that clears all of them', () => {
    const hits = [hit('address-hour', 4, 0), hit('network-day', 61, 3_600_000), hit('network-hour', 2, 0)];
    expect(refusedCode(throttles, hits, now)?.data.retryAfterSeconds).toBe(23 * 3_600);
  });
});

describe('codeThrottles', () => {
  const keysOf = (email: string, device: string | null) =>
    codeThrottles(email, { network: 'n', device }, { perHour: 20, perDay: 60 })
      .map(({ scope, subject }) => `${scope} ${subject}`)
      .filter((key) => !key.startsWith('network'));

  it('share only the network between a device and strangers, and only their sum between devices', () => {
    const [all, one, other] = [keysOf('a@ex.com', null), keysOf('a@ex.com', 'd1'), keysOf('a@ex.com', 'd2')];
    expect(all.filter((key) => one.includes(key))).toEqual([]);
    expect(one.filter((key) => other.includes(key))).toEqual(['devices-day a@ex.com']);
    expect(one.filter((key) => keysOf('b@ex.com', 'd1').includes(key))).toEqual([]);
  });
});
