import { describe, expect, it } from '@jest/globals';
import type { KeyEnd } from './api-key.ts';
import { countLiveKeys, refusedNewKey, refusedRotation } from './key-limits.ts';

const now = new Date('2026-01-15T12:00:00.000Z');
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const active: KeyEnd = { revokeAt: null, replacedBy: null };
const ending = (seconds: number): KeyEnd => ({ revokeAt: inSeconds(seconds), replacedBy: null });
const replaced = (seconds: number): KeyEnd => ({ revokeAt: inSeconds(seconds), replacedBy: 'another' });

describe('live keys', () => {
  it('are those that work and have no successor', () => {
    expect(countLiveKeys([active, ending(1), ending(0), ending(-1), replaced(1)], now)).toBe(2);
  });

  it('allow one more below the limit of the tier', () => {
    expect(refusedNewKey([active, replaced(10), ending(0)], 'free', now)).toBeNull();
    expect(refusedNewKey([active, active], 'free', now)).toMatchObject({ code: 'key_limit' });
    expect(refusedNewKey([active, active], 'paid', now)).toBeNull();
  });

  it('give the message that waiting does not help if none of them ends by itself', () => {
    expect(refusedNewKey([active, active], 'free', now)?.data).toMatchObject({
      retryAfterSeconds: 86_400,
      message: expect.stringMatching(/Revoke one .*waiting does not help/),
    });
  });

  it('give the time at which enough of them have ended, which may take more than one', () => {
    expect(refusedNewKey([active, ending(30)], 'free', now)?.data.retryAfterSeconds).toBe(30);
    const above = [active, ending(90), ending(30), ending(60)];
    expect(refusedNewKey(above, 'free', now)?.data.retryAfterSeconds).toBe(90);
    expect(refusedNewKey([active, active, ending(30)], 'free', now)?.data.retryAfterSeconds).toBe(86_400);
  });

  it('may be rotated while fewer replaced ones work than the tier has live ones', () => {
    expect(refusedRotation([active, active, replaced(10)], 'free', now)).toBeNull();
    expect(refusedRotation([active, replaced(10), replaced(0)], 'free', now)).toBeNull();
    const refusal = refusedRotation([active, replaced(10), replaced(20)], 'free', now);
    expect(refusal).toMatchObject({ code: 'key_limit', data: { retryAfterSeconds: 10 } });
  });
});
