import { z } from 'zod';
import { commands, defineContract } from '../contract/define-contract.ts';
import { MAX_GRANTS } from '../credits-ledger/index.ts';
import { SECOND_MS } from '../deadlines.ts';
import { count, uuid } from '../ids.ts';
import { tier } from '../principal.ts';
import { price, purchaseCommands } from './purchase.ts';
import { refillCommands, refillReason } from './refill.ts';

/** The processor's events have a few kilobytes; even fully escaped, this fits into a message of the bus. */
export const MAX_PAYMENT_EVENT_BYTES = 131_072;
export const MAX_PAYMENT_SIGNATURE_LENGTH = 4_096;

/** Greatest difference between a signature's time and ours. */
const PAYMENT_SIGNATURE_SECONDS = 300;
/** One time, in seconds; the signature covers it. */
const SIGNED_AT = /^t=(\d{1,12})(?!.*,\s*t=)/;

/** Whether a signature names exactly one time, within PAYMENT_SIGNATURE_SECONDS of `now`. */
export const isRecentPaymentSignature = (signature: string, now: Date): boolean => {
  const [, time] = SIGNED_AT.exec(signature) ?? [];
  return time !== undefined && Math.abs(now.getTime() / SECOND_MS - Number(time)) <= PAYMENT_SIGNATURE_SECONDS;
};

const eventCommands = commands({
  /** Takes an event of the payment processor, whose signature is over these very bytes. Repeating it changes nothing. */
  receivePaymentEvent: {
    request: z.object({ body: z.string(), signature: z.string().max(MAX_PAYMENT_SIGNATURE_LENGTH) }),
    reply: z.object({ isNew: z.boolean() }),
    errors: [
      'payment_event_invalid',
      'payment_account_unknown',
      'payment_customer_mismatch',
      'payment_product_mismatch',
      'payment_session_mismatch',
      'payment_request_failed',
      'payment_response_invalid',
    ],
  },
});

/** After longer outages, reconciliation enqueues the task again. */
const settling = {
  leaseMs: 5_000,
  backoffMs: [250, 1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000],
  timeLimitMs: 60_000,
};

/** Money: checkouts, purchases, refunds, disputes, and the events of the payment processor. */
export const billing = defineContract('billing', {
  commands: { ...purchaseCommands, ...refillCommands, ...eventCommands },
  tasks: {
    /**
     * Grants purchases that were paid together; purchases with later events are settled one by one. Few run at once, because each has many
     * purchases and events arrive meanwhile.
     */
    grantPurchases: {
      payload: z.object({ purchaseIds: z.array(uuid).min(1).max(MAX_GRANTS) }),
      ...settling,
      concurrency: 2,
    },
    /**
     * Brings account, ledger and processor to the present state of a purchase: its block and its refund. Every change of a paid
     * purchase enqueues it; a repeat changes nothing.
     */
    settlePurchase: {
      payload: z.object({ purchaseId: uuid }),
      ...settling,
      concurrency: 32,
    },
    /** Follows the closing of an account: its open page is closed, and its purchases are settled. A repeat changes nothing. */
    settleClosedAccount: {
      payload: z.object({ accountId: uuid }),
      ...settling,
      concurrency: 4,
    },
    /** Begins a refill of an account that has fallen below its threshold, unless one is open. A repeat begins no other. */
    refillAccount: { payload: z.object({ accountId: uuid }), ...settling, concurrency: 8 },
    /** Charges the card for an open refill, once, and saves what has become of it. */
    chargeRefill: { payload: z.object({ purchaseId: uuid }), ...settling, concurrency: 8 },
    /** Saves the card that was set up on a page of the processor. */
    saveCard: { payload: z.object({ sessionId: z.string().max(255) }), ...settling, concurrency: 4 },
    /** Removes a card from the processor's customer, so that nothing can charge it any more. */
    detachCard: { payload: z.object({ paymentMethodId: z.string().max(255) }), ...settling, concurrency: 4 },
  },
  events: {
    /**
     * The state of an account from all its purchases: `paid` while one of them stands, disputed while a bank holds or keeps the money
     * of one.
     */
    customerChanged: {
      payload: z.object({ accountId: uuid, tier, isDisputed: z.boolean(), version: count }),
      aggregate: { key: 'accountId', version: 'version' },
    },
    /** A block was taken back because a person or a key of the account requested its refund. */
    blockRefunded: {
      payload: z.object({
        ...{ accountId: uuid, purchaseId: uuid, block: count },
        /** A null key is a session. */
        by: z.object({ keyId: uuid.nullable(), personId: uuid }),
      }),
    },
    /** Below how many credits an account is refilled; null for never. */
    refillChanged: {
      payload: z.object({ accountId: uuid, threshold: z.number().int().positive().nullable(), version: count }),
      aggregate: { key: 'accountId', version: 'version' },
    },
    /** A refill was paid. `left` is what is left of the money of its UTC month. */
    accountRefilled: {
      payload: z.object({ ...{ accountId: uuid, purchaseId: uuid, block: count }, ...price, left: count }),
    },
    /** Refilling is paused until a person acts, or has ended. */
    refillStopped: { payload: z.object({ accountId: uuid, reason: refillReason }) },
  },
});
