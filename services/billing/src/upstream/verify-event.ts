import { isRecentPaymentSignature } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import Stripe from 'stripe';
import type { Config } from '../config.ts';
import { event, type PaymentEvent } from './wire.ts';

/** A signature with two times is ambiguous. */
const SECOND_TIME = /,\s*t=/;
/** Zero turns the library's check off: the time is compared with the database's clock here. */
const NO_TOLERANCE = 0;

const isSigned = (body: string, signature: string, secret: string): boolean => {
  try {
    Stripe.webhooks.constructEvent(body, signature, secret, NO_TOLERANCE);
    return true;
  } catch {
    // An unparseable body or header counts as unsigned.
    return false;
  }
};

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
};

/**
 * Verifies that one of our secrets signed an event within five minutes, and parses it. Reads the clock only for signed events. Throws
 * `payment_event_invalid`.
 */
export const verifyEvent = async (
  { webhookSecrets, isLive }: Pick<Config, 'webhookSecrets' | 'isLive'>,
  { body, signature }: { readonly body: string; readonly signature: string },
  now: () => Promise<Date>,
): Promise<PaymentEvent> => {
  const isOurs =
    !SECOND_TIME.test(signature) && webhookSecrets.some((secret) => isSigned(body, signature, secret.reveal()));
  if (!isOurs || !isRecentPaymentSignature(signature, await now())) throw serviceError('payment_event_invalid');
  const parsed = event.safeParse(parse(body));
  if (!parsed.success) throw serviceError('payment_event_invalid', { cause: parsed.error });
  if (parsed.data.livemode !== isLive)
    throw serviceError('payment_event_invalid', { message: 'The payment event is of the other mode.' });
  return parsed.data;
};
