import { describe, expect, it } from '@jest/globals';
import type { Resource } from '@tds/simulators/payment';
import { checkRefills } from './paid-refills.ts';

const ME = 'me';
const paid = (purchase: string, given: Partial<Resource> = {}): Resource => ({
  ...{
    id: `pi_${purchase}`,
    object: 'payment_intent',
    status: 'succeeded',
    created: Date.UTC(2026, 0, 15) / 1_000,
  },
  metadata: { refill: 'true', account_id: ME, purchase_id: purchase },
  ...given,
});
const found = async (
  intents: Resource[],
  { least = 0, most = 2, state = 'on' }: { least?: number; most?: number; state?: string } = {},
) => {
  const findings = await checkRefills({
    evidence: { rows: async () => [{ accountId: ME, state, reason: null }] as never },
    refills: new Map([[ME, { least, most }]]),
    system: { payment: { intents: () => intents } },
  });
  return findings.map(({ what }) => what);
};

describe('the check of refills', () => {
  it('finds nothing in charges within the money of each month, and counts no page, no other product and no refusal', async () => {
    const february = { created: Date.UTC(2026, 1, 1) / 1_000 };
    const others = [paid('page', { metadata: {} }), paid('refused', { status: 'requires_payment_method' })];
    expect(await found([paid('one'), paid('two'), paid('three', february), ...others])).toEqual([]);
  });

  it('finds a charge beyond the money of the month, one that is missing, and one that was made twice', async () => {
    expect(await found([paid('one'), paid('two'), paid('three')])).toEqual(['refills in a month']);
    expect(await found([], { least: 1 })).toEqual(['refills in a month']);
    expect(await found([paid('one'), paid('one', { id: 'another' })])).toEqual(['payments of a refill']);
  });

  it('finds a refill that has stopped by itself', async () => {
    expect(await found([paid('one')], { state: 'paused' })).toEqual(['a refill that no person has stopped']);
  });
});
