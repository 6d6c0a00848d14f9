import { describe, expect, it } from '@jest/globals';
import { CHECK_EVERY_MS, decidePauseReason, isUnavailable, nextCheckMs } from './cadence.ts';

/** Webhook missing, feed unavailable, credits short, and the reason. */
const table = [
  [false, false, false, null],
  [false, false, true, 'insufficient_credits'],
  [false, true, false, 'feed_unavailable'],
  [false, true, true, 'feed_unavailable'],
  [true, false, false, 'webhook_missing'],
  [true, false, true, 'webhook_missing'],
  [true, true, false, 'webhook_missing'],
  [true, true, true, 'webhook_missing'],
] as const;

const causes = (isMissing: boolean, isUnavailable: boolean, lacksCredits: boolean) => ({
  keyRevoked: false,
  place: 1,
  tier: 'free' as const,
  usesWebhook: true,
  hasWebhook: !isMissing,
  failures: isUnavailable ? 6 : 0,
  lacksCredits,
});

describe('the reason of a pause', () => {
  it.each(table)(
    'webhook missing %s, feed unavailable %s, credits short %s: %s',
    (webhook, feed, credits, shown) => {
      expect(decidePauseReason(causes(webhook, feed, credits))).toBe(shown);
    },
  );

  it('is the revoked key before all others: only its owner can resume it', () => {
    expect(decidePauseReason({ ...causes(true, true, true), keyRevoked: true, place: 26 })).toBe('key_revoked');
  });

  it('is no missing webhook if the monitor never had one', () => {
    expect(decidePauseReason({ ...causes(true, false, false), usesWebhook: false })).toBeNull();
  });

  it.each([
    ['free', 1, null],
    ['free', 2, 'tier_limit'],
    ['paid', 25, null],
    ['paid', 26, 'tier_limit'],
    [null, 26, null],
  ] as const)('of the tier %s at place %s is %s, before all others', (tier, place, shown) => {
    expect(decidePauseReason({ ...causes(false, false, false), tier, place })).toBe(shown);
    expect(decidePauseReason({ ...causes(true, true, true), tier, place })).toBe(shown ?? 'webhook_missing');
  });

  it('is the feed after six failures in a row', () => {
    const after = (failures: number) => decidePauseReason({ ...causes(false, false, false), failures });
    expect([0, 1, 5, 6, 7].map(after)).toEqual([null, null, null, 'feed_unavailable', 'feed_unavailable']);
  });
});

describe('the next check of a feed', () => {
  const DAY_MS = 86_400_000;

  it.each([
    [0, false, CHECK_EVERY_MS],
    [5, false, CHECK_EVERY_MS],
    [6, false, DAY_MS],
    [100, false, DAY_MS],
    [0, true, DAY_MS],
    [6, true, DAY_MS],
  ])('after %s failures, idle %s, comes in %s ms', (failures, isIdle, expected) => {
    expect(nextCheckMs({ failures, isIdle })).toBe(expected);
  });

  it('is fifteen minutes away, as the specification says', () => {
    expect(CHECK_EVERY_MS).toBe(900_000);
  });

  it('is rarer from the failure on that pauses the monitors', () => {
    for (const failures of [0, 5, 6, 7])
      expect(nextCheckMs({ failures, isIdle: false }) === DAY_MS).toBe(isUnavailable(failures));
  });
});
