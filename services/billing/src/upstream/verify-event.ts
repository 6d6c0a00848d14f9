import { isRecentPaymentSignature, PAYMENT_SIGNATURE_SECONDS, serviceError } from '@tds/contracts';
import Stripe from 'stripe';
import type { Config } from '../config.ts';
import { event, type PaymentEvent } from './wire.ts';

const isSigned = (body: string, signature: string, secret: string, now: Date): boolean => {
  try {
    Stripe.webhooks.constructEvent(
      body,
      signature,
      secret,
      PAYMENT_SIGNATURE_SECONDS,
      undefined,
      now.getTime(),
    );
    return true;
  } catch {
    // Whatever it cannot read, the body or the header, is nothing that it has signed.
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

/** The event that one of our secrets has signed within the last minutes. Throws `payment_event_invalid`. */
export const verifyEvent = (
  { webhookSecrets, isLive }: Pick<Config, 'webhookSecrets' | 'isLive'>,
  { body, signature }: { readonly body: string; readonly signature: string },
  now: Date,
): PaymentEvent => {
  const isOurs =
    isRecentPaymentSignature(signature, now) &&
    webhookSecrets.some((secret) => isSigned(body, signature, secret.reveal(), now));
  if (!isOurs) throw serviceError('payment_event_invalid');
  const read = event.safeParse(parse(body));
  if (!read.success) throw serviceError('payment_event_invalid', { cause: read.error });
  if (read.data.livemode !== isLive)
    throw serviceError('payment_event_invalid', { message: 'The payment event is of the other mode.' });
  return read.data;
};
