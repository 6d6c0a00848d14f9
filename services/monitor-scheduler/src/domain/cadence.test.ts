import { describe, expect, it } from '@jest/globals';
import { pauseReasonOf } from './cadence.ts';

/** Webhook missing, feed unavailable, credits short: what is shown. */
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
  ...{ place: 1, tier: 'free' as const },
  usesWebhook: true,
  hasWebhook: !isMissing,
  failures: isUnavailable ? 6 : 0,
  lacksCredits,
});

describe('the reason of a pause', () => {
  it.each(table)(
    'webhook missing %s, feed unavailable %s, credits short %s: %s',
    (webhook, feed, credits, shown) => {
      expect(pauseReasonOf(causes(webhook, feed, credits))).toBe(shown);
    },
  );

  it('is no missing webhook where the monitor never had one', () => {
    expect(pauseReasonOf({ ...causes(true, false, false), usesWebhook: false })).toBeNull();
  });

  it.each([
    ['free', 1, null],
    ['free', 2, 'tier_limit'],
    ['paid', 25, null],
    ['paid', 26, 'tier_limit'],
    [null, 26, null],
  ] as const)('of the tier %s at place %s is %s, before all others', (tier, place, shown) => {
    expect(pauseReasonOf({ ...causes(false, false, false), tier, place })).toBe(shown);
    expect(pauseReasonOf({ ...causes(true, true, true), tier, place })).toBe(shown ?? 'webhook_missing');
  });

  it('is the feed from the sixth failure in a row on', () => {
    const after = (failures: number) => pauseReasonOf({ ...causes(false, false, false), failures });
    expect([0, 1, 5, 6, 7].map(after)).toEqual([null, null, null, 'feed_unavailable', 'feed_unavailable']);
  });
});
