import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tds/contracts';
import { later } from '../domain/time.ts';
import { newSessionLife, slideSession } from './session-life.ts';

const now = new Date('2026-01-15T12:00:00.000Z');
const session = newSessionLife(now);

describe('a session', () => {
  it('ends after twelve idle hours and after thirty days', () => {
    expect(session.idleExpiresAt).toEqual(later(now, 12 * HOUR_MS));
    expect(session.expiresAt).toEqual(later(now, 30 * DAY_MS));
  });

  it('slides at most once a minute', () => {
    expect(slideSession(session, later(now, MINUTE_MS - 1))).toBeNull();
    const used = later(now, MINUTE_MS);
    expect(slideSession(session, used)).toEqual({ seenAt: used, idleExpiresAt: later(used, 12 * HOUR_MS) });
  });

  it('never slides past its absolute end', () => {
    const used = later(now, 30 * DAY_MS - HOUR_MS);
    expect(slideSession(session, used)?.idleExpiresAt).toEqual(session.expiresAt);
  });
});
