import { refillPauses } from '@tds/contracts';
import { z } from 'zod';

// The fields that we read of the processor's objects (https://docs.stripe.com/api). Saved texts are printable and bounded, and saved
// numbers fit their columns.
const MAX_LENGTH = 255;
const printable = z.string().regex(/^[ -~]+$/);
const id = printable.max(MAX_LENGTH);
const amount = z.number().int().nonnegative().max(2_147_483_647);
/** Seconds, until the year 2100. */
const time = z.number().int().nonnegative().max(4_102_444_800);
const currency = z.string().regex(/^[a-z]{3}$/);
/** An id, or the object itself if it was expanded. */
const reference = z.union([id, z.object({ id }).transform((object) => object.id)]).nullish();
const metadata = z.record(z.string(), z.string()).nullish();

export const session = z.object({
  id,
  /** payment or setup. */
  mode: z.string().nullish(),
  client_reference_id: z.string().nullish(),
  metadata,
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  amount_total: amount.nullable(),
  currency: currency.nullable(),
  payment_intent: reference,
  customer: reference,
  customer_email: printable.max(512).nullish(),
  url: z.string().nullish(),
  expires_at: time,
  created: time.optional(),
  /** open, complete or expired. */
  status: z.string().nullish(),
});
export type Session = z.output<typeof session>;

export const refund = z.object({
  id,
  payment_intent: reference,
  amount: amount.positive(),
  currency,
  status: z.string().nullable(),
  metadata,
});
export type Refund = z.output<typeof refund>;

export const dispute = z.object({
  id,
  payment_intent: reference,
  amount: amount.positive(),
  currency,
  status: z.string(),
});

export const charge = z.object({
  id,
  payment_intent: reference,
  metadata,
  receipt_url: printable.max(2_048).pipe(z.url()).nullish(),
});

/** A payment. Those of refills have `refill` in their metadata. */
export const paymentIntent = z.object({
  id,
  amount: amount.positive(),
  currency,
  customer: reference,
  payment_method: reference,
  status: z.string(),
  created: time,
  metadata,
  last_payment_error: z.object({ code: z.string().nullish(), decline_code: z.string().nullish() }).nullish(),
});
export type PaymentIntent = z.output<typeof paymentIntent>;
/** A payment, or why the charge is rejected for good. */
export const chargeAnswer = z.union([paymentIntent, z.object({ refused: z.enum(refillPauses) })]);
export type ChargeAnswer = z.output<typeof chargeAnswer>;
export const intentPage = z.object({ data: z.array(paymentIntent), has_more: z.boolean() });

/** A page where a card was set up, with the card. */
export const setupSession = z.object({
  id,
  status: z.string().nullish(),
  customer: reference,
  metadata,
  setup_intent: z
    .object({
      status: z.string(),
      /** Without a customer once it is detached. */
      payment_method: z.object({ id, customer: reference }).nullable(),
    })
    .nullish(),
});
export type SetupSession = z.output<typeof setupSession>;

/** Fields that all objects of a purchase have. */
export const purchaseReference = z.object({ payment_intent: reference, metadata });

export const event = z.object({
  id,
  type: printable.max(MAX_LENGTH),
  livemode: z.boolean(),
  created: time,
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
});
export type PaymentEvent = z.output<typeof event>;

export const eventPage = z.object({ data: z.array(event), has_more: z.boolean() });

export const pricePage = z.object({
  data: z.array(z.object({ id, lookup_key: z.string().nullable(), unit_amount: amount.nullable(), currency })),
});

export const customer = z.object({ id });
export const card = z.object({ id });
export const page = z.object({ url: z.url() });
