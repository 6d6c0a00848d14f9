import Stripe from 'stripe';
import type { BookCheck, Breach, Evidence } from './evidence.ts';

type MoneyMovement = {
  readonly id: string;
  readonly amount: number;
  readonly status: string | null;
  readonly intent: string;
};

const PAGE = 100;
const SECONDS_PER_DAY = 86_400;
const DAYS = 30;
/** Billing reads the processor's events once a minute, so a younger payment may be unknown to a running system. */
const HEARD_WITHIN_SECONDS = 180;

/** What billing keeps of a status: a refund or a dispute that has ended without money moving does not count. */
const PAID = `SELECT id::text, payment_intent_id AS intent FROM purchases WHERE state = 'paid' AND id = ANY ($1::uuid[])`;
/** Refills that billing says were paid; a day less than is listed, as a payment is older than its record. */
const REFILLS = `
  SELECT id::text, payment_intent_id AS intent FROM purchases
  WHERE state = 'paid' AND payment_method_id IS NOT NULL AND paid_at > to_timestamp($1) + interval '1 day' AND paid_at < to_timestamp($2)`;
const REFUNDS = `SELECT id, amount, status <> 'failed' AS counts FROM refunds WHERE id = ANY ($1)`;
const DISPUTES = `SELECT id, amount, status <> 'won' AS counts FROM disputes WHERE id = ANY ($1)`;

/** The library waits for 80 s, three times. */
const ANSWER_WITHIN_MS = 10_000;

export const connectProcessor = (origin: string, secretKey: string, timeout = ANSWER_WITHIN_MS): Stripe => {
  const { protocol, hostname, port } = new URL(origin);
  const isPlain = protocol === 'http:';
  const scheme = isPlain ? 'http' : 'https';
  return new Stripe(secretKey, {
    ...{ host: hostname, port: port || (isPlain ? '80' : '443'), protocol: scheme },
    ...{ maxNetworkRetries: 2, telemetry: false, timeout },
  });
};

const idOf = (reference: string | { readonly id: string } | null): string =>
  typeof reference === 'string' ? reference : (reference?.id ?? '');

const paidSessions = async (stripe: Stripe, created: Stripe.RangeQueryParam) => {
  const payments: { readonly purchase: string; readonly intent: string }[] = [];
  for await (const session of stripe.checkout.sessions.list({ limit: PAGE, created })) {
    const purchase = session.metadata?.purchase_id;
    // Other products may share the account of the processor.
    if (session.payment_status === 'paid' && purchase)
      payments.push({ purchase, intent: idOf(session.payment_intent) });
  }
  return payments;
};

/** What was charged to saved cards, without a page. */
const paidRefills = async (stripe: Stripe, created: Stripe.RangeQueryParam) => {
  const intents = await stripe.paymentIntents
    .list({ limit: PAGE, created })
    .autoPagingToArray({ limit: 10_000 });
  return intents.flatMap(({ id, status, metadata: { refill, purchase_id: purchase } }) =>
    status === 'succeeded' && refill && purchase ? [{ purchase, intent: id }] : [],
  );
};

const toMovement = ({ id, amount, status, payment_intent }: Stripe.Refund | Stripe.Dispute): MoneyMovement => ({
  ...{ id, amount, status, intent: idOf(payment_intent) },
});

type MovementCheck = {
  what: string;
  sql: string;
  movements: readonly MoneyMovement[];
  ended: readonly string[];
};

const compareMovements = async (
  { rows }: Evidence,
  { what, sql, movements, ended }: MovementCheck,
): Promise<Breach[]> => {
  const records = await rows<{ id: string; amount: number; counts: boolean }>('billing', sql, [
    movements.map(({ id }) => id),
  ]);
  const byId = new Map(records.map((row) => [row.id, row]));
  const describeAmount = (amount: number, counts: boolean) =>
    `${amount}${counts ? '' : ', which does not count'}`;
  return movements.flatMap(({ id, amount, status }) => {
    const record = byId.get(id);
    const expected = describeAmount(amount, !ended.includes(String(status)));
    const found = record ? describeAmount(record.amount, record.counts) : 'unknown';
    return found === expected
      ? []
      : [{ subject: `${what} ${id}`, what: `a ${what} at the processor`, expected, found }];
  });
};

/** Compares the last thirty days of the payment processor with what billing keeps of them. It only reads. */
export const processorCheck = (stripe: Stripe): BookCheck => ({
  invariant: 'I10',
  promise: 'billing knows every payment, refund and dispute of the payment processor',
  check: async (evidence) => {
    const now = Math.floor(Date.now() / 1_000);
    const created = {
      gte: now - DAYS * SECONDS_PER_DAY,
      lte: now - (evidence.atRest ? 0 : HEARD_WITHIN_SECONDS),
    };
    const payments = [...(await paidSessions(stripe, created)), ...(await paidRefills(stripe, created))];
    const intentIds = new Set(payments.map(({ intent }) => intent));
    const isOurs = ({ intent }: MoneyMovement) => intentIds.has(intent);
    const refunds = await stripe.refunds.list({ limit: PAGE, created }).autoPagingToArray({ limit: 10_000 });
    const disputes = await stripe.disputes.list({ limit: PAGE, created }).autoPagingToArray({ limit: 10_000 });
    const paidPurchases = await evidence.rows<{ id: string; intent: string }>('billing', PAID, [
      payments.map(({ purchase }) => purchase),
    ]);
    const refills = await evidence.rows<{ id: string; intent: string }>('billing', REFILLS, [
      created.gte,
      created.lte,
    ]);
    const intents = new Map(paidPurchases.map(({ id, intent }) => [id, intent]));
    return [
      ...payments
        .filter(({ purchase, intent }) => intents.get(purchase) !== intent)
        .map(({ purchase, intent }) => ({
          ...{ subject: `purchase ${purchase}`, what: 'a payment at the processor' },
          ...{ expected: `paid by ${intent}`, found: intents.get(purchase) ?? 'not paid' },
        })),
      ...refills
        .filter(({ intent }) => !intentIds.has(intent))
        .map(({ id, intent }) => ({
          ...{ subject: `refill ${id}`, what: 'its payment at the processor' },
          ...{ expected: intent, found: 'none' },
        })),
      ...(await compareMovements(evidence, {
        ...{ what: 'refund', sql: REFUNDS, ended: ['failed', 'canceled'] },
        movements: refunds.map(toMovement).filter(isOurs),
      })),
      ...(await compareMovements(evidence, {
        ...{ what: 'dispute', sql: DISPUTES, ended: ['won'] },
        movements: disputes.map(toMovement).filter(isOurs),
      })),
    ];
  },
});
