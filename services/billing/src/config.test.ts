import { describe, expect, it } from '@jest/globals';
import { CREDIT_BLOCKS } from '@tds/contracts';
import { defaultPrices } from '@tds/simulators/payment';
import { readConfig } from './config.ts';
import { lookupKeyOf } from './upstream/processor.ts';

const given = {
  STRIPE_SECRET_KEY: 'sk_test_0123456789',
  STRIPE_WEBHOOK_SECRETS: 'whsec_new_0123456789, whsec_old_0123456789',
};

describe('the configuration', () => {
  it('sells each block, and accepts events signed with each secret', () => {
    const config = readConfig(given);
    expect([...config.prices.keys()]).toEqual([...CREDIT_BLOCKS]);
    expect(config.webhookSecrets.map((secret) => secret.reveal())).toEqual([
      'whsec_new_0123456789',
      'whsec_old_0123456789',
    ]);
    expect(config).toMatchObject({ currency: 'usd', isLive: false, checkoutsPerHour: 10 });
  });

  it('sells larger blocks at a lower price of a credit, down to the market`s half a cent', () => {
    const perCredit = [...readConfig(given).prices].map(([block, amount]) => amount / block);
    expect(perCredit).toEqual([...perCredit].sort((one, other) => other - one));
    expect(perCredit.at(-1)).toBe(0.5);
  });

  it('has the prices of the simulator', () => {
    const simulated = defaultPrices.map(({ lookupKey, unitAmount }) => [lookupKey, unitAmount]);
    expect([...readConfig(given).prices].map(([block, amount]) => [lookupKeyOf(block), amount])).toEqual(
      simulated,
    );
  });

  it.each<[string, string, string]>([
    ['usd', '5:49,20:100,50:150,200:250,1000:500', '5:49'],
    ['usd', '5:3,20:10,50:150,200:250,1000:500', '5:3, 20:10'],
    ['jpy', '5:49,20:100,50:150,200:250,1000:500', '5:49'],
    ['huf', '5:17500,20:17499,50:18000,200:19000,1000:20000', '20:17499'],
  ])('in %s refuses %s, because the processor charges no less', (CREDIT_CURRENCY, CREDIT_PRICES, named) => {
    expect(() => readConfig({ ...given, CREDIT_CURRENCY, CREDIT_PRICES })).toThrow(
      new RegExp(`CREDIT_PRICES: ${named}: the payment processor charges at least \\d+ ${CREDIT_CURRENCY} `),
    );
  });

  it.each<[string, string]>([
    ['gbp', '5:30,20:100,50:150,200:250,1000:500'],
    // Without a known minimum.
    ['krw', '5:1,20:100,50:150,200:250,1000:500'],
  ])('in %s accepts %s', (CREDIT_CURRENCY, CREDIT_PRICES) => {
    expect(readConfig({ ...given, CREDIT_CURRENCY, CREDIT_PRICES }).prices.get(20)).toBe(100);
  });

  it.each<[string, boolean]>([
    ['sk_live_0123456789', true],
    ['rk_live_0123456789', true],
    ['sk_test_0123456789', false],
    ['rk_test_0123456789', false],
    ['sk_test_sk_live_0123', false],
  ])('with the key %s is live: %s', (STRIPE_SECRET_KEY, isLive) => {
    expect(readConfig({ ...given, STRIPE_SECRET_KEY }).isLive).toBe(isLive);
  });

  it.each<[string, Record<string, string>]>([
    ['a block without a price', { CREDIT_PRICES: '5:250,20:900,50:2000,200:7000' }],
    ['a block that is not sold', { CREDIT_PRICES: '5:250,20:900,50:2000,200:7000,1000:30000,7:1' }],
    ['a price of nothing', { CREDIT_PRICES: '5:0,20:900,50:2000,200:7000,1000:30000' }],
    ['a price with a part of a cent', { CREDIT_PRICES: '5:2.5,20:900,50:2000,200:7000,1000:30000' }],
    ['a currency in capitals', { CREDIT_CURRENCY: 'USD' }],
    ['a short webhook secret', { STRIPE_WEBHOOK_SECRETS: 'whsec' }],
    ['no webhook secret', { STRIPE_WEBHOOK_SECRETS: '' }],
    ['a short key', { STRIPE_SECRET_KEY: 'sk_test' }],
    ['no checkouts at all', { CHECKOUTS_PER_HOUR: '0' }],
  ])('is rejected with %s', (_what, changed) => {
    expect(() => readConfig({ ...given, ...changed })).toThrow();
  });
});
