import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PaymentSimulator, startPaymentSimulator } from '@tds/simulators/payment';
import type Stripe from 'stripe';
import { errorMessage } from '../running-system.ts';
import { connectProcessor, processorCheck } from './processor-check.ts';

let simulator: PaymentSimulator;
let stripe: Stripe;
beforeAll(async () => {
  simulator = await startPaymentSimulator();
  stripe = connectProcessor(simulator.origin, 'sk_test_of_the_tests');
});
afterAll(() => simulator.close());

const HALF_AN_HOUR = 1_800;
const purchase = randomUUID();
const foreign = randomUUID();

/** What billing would have saved. */
const books = { purchases: [] as object[], refunds: [] as object[], disputes: [] as object[] };
const tableIn = (sql: string) => /FROM (purchases|refunds|disputes)/.exec(sql)?.[1] as keyof typeof books;
const findings = async () => {
  const rows = async (_service: string, sql: string) => books[tableIn(sql)];
  const found = await processorCheck(stripe).check({ atRest: true, rows } as never);
  return found.map(({ what, found: is }) => `${what}: ${is}`);
};

const pay = async (id: string, metadata: Record<string, string>): Promise<string> => {
  const session = await stripe.checkout.sessions.create({
    ...{ mode: 'payment', line_items: [{ price: 'price_credits_20', quantity: 1 }] },
    ...{ client_reference_id: id, metadata, payment_intent_data: { metadata } },
    ...{ success_url: 'http://127.0.0.1/success', expires_at: Math.floor(Date.now() / 1_000) + HALF_AN_HOUR },
  });
  simulator.pay(session.id);
  return String((await stripe.checkout.sessions.retrieve(session.id)).payment_intent);
};

describe('the comparison of billing with the payment processor', () => {
  it('names a payment and a refund that billing lacks, and nothing that it has or that belongs to another product', async () => {
    const intent = await pay(purchase, { purchase_id: purchase });
    await pay(foreign, { order: '7' });
    expect(await findings()).toEqual(['a payment at the processor: not paid']);
    books.purchases = [{ id: purchase, intent }];
    expect(await findings()).toEqual([]);
    const refund = await stripe.refunds.create({ payment_intent: intent, amount: 100 });
    expect(await findings()).toEqual(['a refund at the processor: unknown']);
    books.refunds = [{ id: refund.id, amount: 100, counts: false }];
    expect(await findings()).toEqual(['a refund at the processor: 100, which does not count']);
    books.refunds = [{ id: refund.id, amount: 100, counts: true }];
    expect(await findings()).toEqual([]);
  });

  it('names a refill that was charged twice, one that billing lacks, and one that was never charged', async () => {
    books.purchases = [];
    const refill = randomUUID();
    const customer = (await stripe.customers.create({})).id;
    const page = await stripe.checkout.sessions.create({
      ...{ mode: 'setup', customer, currency: 'usd', allowed_payment_method_types: ['card'] },
      ...{ setup_intent_data: { metadata: {} }, expires_at: Math.floor(Date.now() / 1_000) + HALF_AN_HOUR },
      ...{ success_url: 'http://127.0.0.1/success', cancel_url: 'http://127.0.0.1/success' },
    });
    simulator.setUpCard(page.id);
    const charge = async () =>
      (
        await stripe.paymentIntents.create({
          ...{ amount: 900, currency: 'usd', customer, payment_method: String(simulator.cards().at(-1)?.id) },
          ...{
            allowed_payment_method_types: ['card'],
            confirm: true,
            off_session: true,
            error_on_requires_action: true,
          },
          metadata: { purchase_id: refill, refill: 'true' },
        })
      ).id;
    const before = await findings();
    const intent = await charge();
    expect(await findings()).toEqual([...before, 'a payment at the processor: not paid']);
    books.purchases = [{ id: refill, intent }];
    expect(await findings()).toEqual(before);
    await charge();
    expect(await findings()).toHaveLength(before.length + 1);
    books.purchases = [{ id: refill, intent: 'pi_none' }];
    expect(await findings()).toContain('its payment at the processor: none');
  });

  it('ends with a sentence if the processor takes requests and answers none', async () => {
    simulator.fault({ kind: 'hang', match: 'GET /v1/checkout/sessions', times: 3 });
    const silent = connectProcessor(simulator.origin, 'sk_test_of_the_tests', 20);
    const checking = processorCheck(silent).check({ atRest: true, rows: async () => [] } as never);
    expect(await checking.catch((error) => errorMessage(error))).toMatch(
      /^The payment processor does not answer/,
    );
  });
});
