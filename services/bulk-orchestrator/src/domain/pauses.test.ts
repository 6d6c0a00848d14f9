import { describe, expect, it } from '@jest/globals';
import { openingRefusal } from '@tds/contracts';
import { refusedWith } from '../test-support/changes.ts';
import { endsByItself, onlyOwnerEnds, pauseForRefusal } from './job-state.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const MIDNIGHT = new Date('2026-11-21T00:00:00.000Z');

describe('unopened rows', () => {
  it.each([
    ['daily_credit_cap', null, { reason: 'daily_limit', lookAt: MIDNIGHT }],
    ['cold_fetch_cap', 60, { reason: 'daily_limit', lookAt: new Date(NOW.getTime() + 60_000) }],
    ['global_cold_cap', 0, { reason: 'daily_limit', lookAt: new Date(NOW.getTime() + 1_000) }],
    [
      'insufficient_credits',
      null,
      { reason: 'insufficient_credits', lookAt: new Date(NOW.getTime() + 3_600_000) },
    ],
    ['key_revoked', null, { reason: 'key_revoked', lookAt: null }],
    ['account_frozen', null, { reason: 'account_frozen', lookAt: new Date(NOW.getTime() + 3_600_000) }],
    ['account_closed', null, null],
    ['job_cancelled', null, null],
    ['cold_fetch_cap', 43_201, { reason: 'daily_limit', lookAt: MIDNIGHT }],
  ] as const)('for %s wait for its end', (code, retryAfterSeconds, expected) => {
    expect(pauseForRefusal(refusedWith(code, { retryAfterSeconds }), NOW)).toEqual(expected);
  });

  it('always wait for something: each reason ends by itself, by credits, or by the owner', () => {
    for (const code of openingRefusal.shape.code.options) {
      const pause = pauseForRefusal(refusedWith(code), NOW);
      if (pause === null) continue;
      const ends = [
        endsByItself(pause.reason),
        onlyOwnerEnds(pause.reason),
        pause.reason === 'insufficient_credits',
      ];
      expect([code, ends.filter(Boolean).length]).toEqual([code, 1]);
    }
  });
});
