import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { HOPS_MS, PROCESSOR_WAIT_MS } from '../deadlines.ts';
import { count, madeBy, namedObject, uuid } from '../ids.ts';
import { creditBlock, price, processorErrors } from './purchase.ts';

/** In the smallest unit of the currency; it fits its column. */
const MAX_MONTHLY_LIMIT = 100_000_000;

const refillStatus = z.enum(['off', 'card_missing', 'on', 'paused']).meta({ id: 'RefillStatus' });

/** Why refilling is paused until a person acts. */
export const refillPauses = [
  'authentication_required',
  'card_declined',
  'card_expired',
  'card_removed',
  'price_changed',
  'processor_failed',
  'restored',
] as const;
export type RefillPause = (typeof refillPauses)[number];
/** Why refilling has ended, and its card is forgotten. */
const refillEnds = ['dispute', 'account_frozen', 'account_closed', 'payer_removed'] as const;
export type RefillEnd = (typeof refillEnds)[number];
export const refillReason = z.enum([...refillPauses, ...refillEnds]).meta({ id: 'RefillReason' });
export type RefillReason = z.infer<typeof refillReason>;

/** How an account refills its credits by itself, in the API and on the bus. */
export const refill = namedObject('Refill', {
  status: refillStatus.describe(
    'off: nothing is bought by itself; card_missing: set up a card; on; paused: it buys nothing until a person acts',
  ),
  reason: refillReason
    .nullable()
    .describe(
      'Why it is paused or has ended. The card: authentication_required (the bank wants its holder), card_declined, card_expired, card_removed. price_changed: the block costs another price than you agreed to. processor_failed: the payment processor gave no clear answer for a day. restored: a database of the service was restored, compare what you see. dispute, account_frozen, account_closed, payer_removed: it has ended',
    ),
  threshold: count.nullable().describe('A block is bought when fewer credits can be spent'),
  block: count.nullable().describe('Credits that are bought each time'),
  amount: count.nullable().describe('What the block costs, as agreed to, in the smallest unit of the currency'),
  monthly_limit: count
    .nullable()
    .describe('The most money in a UTC month, in the smallest unit of the currency'),
  used_this_month: count.describe('What refills have cost in this UTC month, with one under way'),
  currency: price.currency,
  person_id: madeBy,
});
export type Refill = z.infer<typeof refill>;

const reply = z.object({ refill });
/** The page of a card goes on after this. */
const person = { accountId: uuid, personId: uuid };

export const refillCommands = commands({
  getRefill: { request: z.object({ accountId: uuid }), reply },

  /** Sets threshold, block and limit, at the present price of the block. One that is paused goes on with its card. */
  putRefill: {
    request: z.object({
      ...person,
      threshold: count.positive(),
      block: creditBlock,
      monthlyLimit: count.positive().max(MAX_MONTHLY_LIMIT),
    }),
    reply,
    errors: ['invalid_refill_threshold', 'invalid_monthly_limit'],
    isIdempotent: true,
  },

  /** Turns refilling off, and forgets its card here and at the processor. */
  endRefill: { request: z.object({ accountId: uuid }), reply, isIdempotent: true },

  /** Opens the page of the processor where the person sets up the card. */
  openCardPage: {
    request: z.object(person),
    reply: z.object({ url: z.url() }),
    errors: [...processorErrors, 'refill_not_found', 'rate_limit'],
    timeoutMs: PROCESSOR_WAIT_MS + HOPS_MS,
  },
});
