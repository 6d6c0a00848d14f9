import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';

/** The processor's events have a few kilobytes. However much JSON escapes of one, it fits into a message of the bus. */
export const LARGEST_PAYMENT_EVENT_BYTES = 131_072;
export const LONGEST_PAYMENT_SIGNATURE = 4_096;

/** How far the time of a signature may be from ours, either way. */
export const PAYMENT_SIGNATURE_SECONDS = 300;
const MS = 1_000;
/** One time, in seconds; the signature covers it. */
const SIGNED_AT = /^t=(\d{1,12})(?!.*,\s*t=)/;

/** Whether a signature names one time, and that is of these minutes. */
export const isRecentPaymentSignature = (signature: string, now: Date): boolean => {
  const [, time] = SIGNED_AT.exec(signature) ?? [];
  return time !== undefined && Math.abs(now.getTime() / MS - Number(time)) <= PAYMENT_SIGNATURE_SECONDS;
};

export const eventCommands = commands({
  /** Takes an event of the payment processor, whose signature is over these very bytes. Repeating it changes nothing. */
  receivePaymentEvent: {
    request: z.object({ body: z.string(), signature: z.string().max(LONGEST_PAYMENT_SIGNATURE) }),
    reply: z.object({ isNews: z.boolean() }),
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
