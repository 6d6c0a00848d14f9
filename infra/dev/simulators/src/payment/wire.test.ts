import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import { type PaymentSimulator, startPaymentSimulator } from './start-payment-simulator.ts';

const HALF_AN_HOUR = 1_800;
const MS = 1_000;

const clientOf = ({ origin }: PaymentSimulator): Stripe => {
  const { hostname, port } = new URL(origin);
  return new Stripe('sk_test_simulated', { host: hostname, port, protocol: 'http', telemetry: false });
};

let simulator: PaymentSimulator;
let stripe: Stripe;
beforeAll(async () => {
  simulator = await startPaymentSimulator({
    prices: [
      { lookupKey: 'credits_5', unitAmount: 250, currency: 'usd' },
      { lookupKey: 'credits_20', unitAmount: 900, currency: 'usd' },
    ],
  });
  stripe = clientOf(simulator);
});
afterAll(() => simulator.close());

// One moment for all: a request under a known key has to say the same, also a second later.
const expires_at = Math.floor(Date.now() / MS) + HALF_AN_HOUR;
const open = (idempotencyKey?: string) =>
  stripe.checkout.sessions.create(
    {
      mode: 'payment',
      line_items: [{ price: 'price_credits_20', quantity: 1 }],
      client_reference_id: 'p1',
      metadata: { purchase_id: 'p1' },
      payment_intent_data: { metadata: { purchase_id: 'p1' } },
      success_url: 'http://127.0.0.1/success',
      expires_at,
    },
    idempotencyKey === undefined ? {} : { idempotencyKey },
  );
const pageOf = (url: string | null) => fetch(url ?? '', { redirect: 'manual' });

describe("the processor's official client", () => {
  it('opens a session, which a person pays on its page, and finds the events', async () => {
    const session = await open();
    expect(session).toMatchObject({ status: 'open', amount_total: 900, currency: 'usd' });
    expect(await (await pageOf(session.url)).text()).toContain('9.00 USD');
    const paid = await fetch(session.url ?? '', { method: 'POST', redirect: 'manual' });
    expect(paid.headers.get('location')).toBe('http://127.0.0.1/success');
    const after = await stripe.checkout.sessions.retrieve(session.id);
    expect(after).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      metadata: { purchase_id: 'p1' },
    });
    const { data, has_more } = await stripe.events.list({ limit: 2 });
    expect(data.map(({ type }) => type)).toEqual(['checkout.session.completed', 'charge.succeeded']);
    expect(has_more).toBe(true);
    const rest = await stripe.events.list({ limit: 2, starting_after: data[1]?.id ?? '' });
    expect(rest.data.map(({ type }) => type)).toEqual(['payment_intent.succeeded']);
    // From the beginning again, whoever pages would never end.
    await expect(stripe.events.list({ starting_after: 'evt_none' })).rejects.toMatchObject({
      code: 'resource_missing',
    });
  });

  it('gets the same answer under the same idempotency key, also if the first was lost', async () => {
    simulator.fault({ kind: 'unanswered', match: '/sessions' });
    const first = await open('k1');
    expect((await open('k1')).id).toBe(first.id);
    await expect(
      stripe.refunds.create({ payment_intent: 'pi_none' }, { idempotencyKey: 'k1' }),
    ).rejects.toMatchObject({ type: 'StripeIdempotencyError' });
  });

  it('refunds what was paid and no more, and never what is disputed', async () => {
    const { payment_intent: intent } = simulator.pay((await open()).id);
    const payment_intent = String(intent);
    expect(await stripe.refunds.create({ payment_intent, amount: 400 })).toMatchObject({
      status: 'succeeded',
    });
    await expect(stripe.refunds.create({ payment_intent, amount: 501 })).rejects.toMatchObject({
      code: 'amount_too_large',
    });
    const dispute = simulator.dispute(payment_intent);
    await expect(stripe.refunds.create({ payment_intent })).rejects.toMatchObject({
      code: 'charge_disputed',
    });
    simulator.closeDispute(dispute.id, 'won');
    expect(await stripe.refunds.create({ payment_intent })).toMatchObject({ amount: 500 });
  });

  it('finds prices by their lookup keys', async () => {
    const { data } = await stripe.prices.list({ lookup_keys: ['credits_5', 'credits_7'] });
    expect(data.map(({ lookup_key, unit_amount }) => [lookup_key, unit_amount])).toEqual([['credits_5', 250]]);
  });

  it('is refused what it may not, in the types of its own errors', async () => {
    await expect(stripe.checkout.sessions.retrieve('cs_test_none')).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      code: 'resource_missing',
    });
  });

  it('does over HTTP what its functions do', async () => {
    const control = (name: string, ...list: unknown[]) =>
      fetch(`${simulator.origin}/control/${name}`, { method: 'POST', body: JSON.stringify(list) });
    const { id } = await open();
    expect(await (await control('pay', id)).json()).toMatchObject({ result: { id, status: 'complete' } });
    expect((await control('fault', { kind: 'sunshine' })).status).toBe(400);
    expect((await control('nothing')).status).toBe(404);
  });

  it('still knows after a restart what it knew', async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'payments-'));
    const file = path.join(dir, 'payments.json');
    const before = await startPaymentSimulator({ file });
    const { id } = await clientOf(before).customers.create({ metadata: { account_id: 'a1' } });
    await before.close();
    const after = await startPaymentSimulator({ file });
    const session = await clientOf(after).billingPortal.sessions.create({ customer: id });
    expect(session.url).toContain(id);
    await after.close();
    rmSync(dir, { recursive: true });
  });
});
