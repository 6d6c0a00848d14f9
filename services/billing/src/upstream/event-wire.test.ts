import { describe, expect, it } from '@jest/globals';
import { secret } from '@tds/base';
import { signatureOf } from '@tds/simulators/payment';
import { codeOf } from '@tds/test-kit';
import fc from 'fast-check';
import { verifyEvent } from './verify-event.ts';
import { dispute, event, eventPage, pricePage, purchaseReference, refund, session } from './wire.ts';

const NOW = new Date('2026-01-15T12:00:00.000Z');
const SECONDS = NOW.getTime() / 1_000;
const SECRET = 'whsec_of_the_tests_0123456789';
const config = { webhookSecrets: [secret().parse(SECRET)], isLive: false };
const sent = { id: 'evt_1', type: 'a.b', livemode: false, created: SECONDS, data: { object: { id: 'x' } } };
const verify = (body: string, signature: string, settings = config) =>
  verifyEvent(settings, { body, signature }, async () => NOW);

describe('an event', () => {
  it.each(['account.updated', 'a.type.of.next.year', '__proto__', 'constructor', 'x'.repeat(255)])(
    'of the unknown type %j is read, so that the processor stops sending it',
    (type) => {
      expect(event.parse({ ...sent, type }).type).toBe(type);
    },
  );

  it('keeps unknown fields of its object, and drops those beside it', () => {
    const object = { id: 'x', new_field: { deep: [1, null] } };
    const read = event.parse({
      ...sent,
      api_version: '2030-01-01',
      account: 'acct_1',
      data: { object, more: 1 },
    });
    expect(read).toEqual({ ...sent, data: { object } });
  });

  it.each<[string, object]>([
    ['no type', { type: undefined }],
    ['an empty type', { type: '' }],
    ['no mode', { livemode: undefined }],
    ['a mode that is a text', { livemode: 'false' }],
    ['no data', { data: undefined }],
    ['an object that is a text', { data: { object: 'x' } }],
    ['an object that is a list', { data: { object: [] } }],
    ['a time that is a text', { created: String(SECONDS) }],
  ])('with %s is rejected', (_what, changed) => {
    expect(event.safeParse({ ...sent, ...changed }).success).toBe(false);
  });

  it('in a page that contains a single invalid one fails with its page, which is requested again', () => {
    expect(eventPage.safeParse({ data: [sent, { ...sent, created: -1 }], has_more: false }).success).toBe(
      false,
    );
    expect(eventPage.safeParse({ data: [sent], has_more: 'no' }).success).toBe(false);
    expect(eventPage.safeParse({ data: [], has_more: true }).success).toBe(true);
  });
});

describe('money of the processor', () => {
  const money = { id: 're_1', amount: 900, currency: 'usd', status: 'succeeded' };

  it.each([refund, dispute])('is read without a payment, as that of other products may have none', (schema) => {
    expect(schema.parse(money).payment_intent).toBeUndefined();
    expect(schema.parse({ ...money, payment_intent: null }).payment_intent).toBeNull();
  });

  it('has a payment by its id, expanded or not, in each kind of object', () => {
    const expanded = { id: 'pi_1', object: 'payment_intent', amount: 900 };
    for (const payment_intent of ['pi_1', expanded])
      for (const schema of [refund, dispute, purchaseReference])
        expect(schema.parse({ ...money, payment_intent })).toMatchObject({ payment_intent: 'pi_1' });
  });

  it('has a status that may be unknown for a refund, and is a text for a dispute', () => {
    expect(refund.safeParse({ ...money, status: null }).success).toBe(true);
    expect(dispute.safeParse({ ...money, status: null }).success).toBe(false);
  });

  it('is never a number that our columns would round or reject', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.maxSafeInteger(), fc.string()), (amount) => {
        const isRight = Number.isInteger(amount) && Number(amount) > 0 && Number(amount) <= 2_147_483_647;
        expect(refund.safeParse({ ...money, amount }).success).toBe(isRight && typeof amount === 'number');
      }),
    );
  });
});

describe('a session', () => {
  const page = {
    id: 'cs_1',
    payment_status: 'paid',
    amount_total: 900,
    currency: 'usd',
    expires_at: SECONDS,
  };

  it('has its customer by its id, expanded or not, or none', () => {
    for (const customer of ['cus_1', { id: 'cus_1', email: 'a@b.example' }])
      expect(session.parse({ ...page, customer }).customer).toBe('cus_1');
    expect(session.parse({ ...page, customer: null }).customer).toBeNull();
  });

  it.each<[string, object]>([
    ['metadata that is not text', { metadata: { block: 20 } }],
    ['an amount below nothing', { amount_total: -1 }],
    ['an expiry that is missing', { expires_at: undefined }],
    ['a customer that is a number', { customer: 1 }],
  ])('with %s is rejected', (_what, changed) => {
    expect(session.safeParse({ ...page, ...changed }).success).toBe(false);
  });
});

it('prices without a name or an amount are read, and are then on sale to no customer', () => {
  const price = { id: 'price_1', lookup_key: null, unit_amount: null, currency: 'usd', recurring: null };
  expect(pricePage.parse({ data: [price] }).data).toMatchObject([{ lookup_key: null, unit_amount: null }]);
  expect(pricePage.safeParse({ data: [{ ...price, currency: 'USD' }] }).success).toBe(false);
});

describe('a signature', () => {
  const body = JSON.stringify(sent);
  const hash = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });
  const hexOf = (signature: string) => signature.slice(signature.indexOf('v1=') + 3);

  it('is accepted beside others, as while a secret is rotated at the processor', async () => {
    const other = hexOf(signatureOf(body, 'whsec_else_0123456789', SECONDS));
    const own = hexOf(signatureOf(body, SECRET, SECONDS));
    for (const order of [
      [other, own],
      [own, other],
    ])
      expect(await codeOf(verify(body, [`t=${SECONDS}`, ...order.map((hex) => `v1=${hex}`)].join(',')))).toBe(
        'answered',
      );
  });

  it('is of every byte of the body: one that is changed, added or missing rejects it', async () => {
    const signature = signatureOf(body, SECRET, SECONDS);
    await fc.assert(
      fc.asyncProperty(fc.nat(body.length - 1), fc.constantFrom(' ', 'x', ''), async (at, put) => {
        const changed = `${body.slice(0, at)}${put}${body.slice(at + 1)}`;
        fc.pre(changed !== body);
        expect(await codeOf(verify(changed, signature))).toBe('payment_event_invalid');
      }),
    );
  });

  it('of anything is never accepted without the secret', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), hash, async (text, hex) => {
        for (const signature of [
          text,
          `t=${SECONDS},v1=${hex}`,
          `t=${SECONDS},v1=${text}`,
          `t=${text},v1=${hex}`,
        ])
          expect(await codeOf(verify(body, signature))).toBe('payment_event_invalid');
      }),
    );
  });

  it('of another body with a million bytes is rejected as well', async () => {
    const huge = JSON.stringify({ ...sent, data: { object: { id: 'x', text: 'y'.repeat(1_000_000) } } });
    expect(await codeOf(verify(huge, signatureOf(body, SECRET, SECONDS)))).toBe('payment_event_invalid');
    expect(await codeOf(verify(huge, `t=${SECONDS},${'v1=0,'.repeat(20_000)}`))).toBe('payment_event_invalid');
    expect(await codeOf(verify(huge, signatureOf(huge, SECRET, SECONDS)))).toBe('answered');
  });

  it('is of the bytes as they were sent: letters beyond ASCII are signed too', async () => {
    const text = JSON.stringify({ ...sent, data: { object: { name: 'Žofia 🎓' } } });
    const read = await verify(text, signatureOf(text, SECRET, SECONDS));
    expect(read.data.object).toEqual({ name: 'Žofia 🎓' });
  });

  it('is accepted by none of no secrets', async () => {
    const none = { ...config, webhookSecrets: [] };
    expect(await codeOf(verify(body, signatureOf(body, SECRET, SECONDS), none))).toBe('payment_event_invalid');
  });
});
