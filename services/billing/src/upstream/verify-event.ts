import { serviceError } from '@tds/contracts';
import Stripe from 'stripe';
import type { Config } from '../config.ts';
import { event, type PaymentEvent } from './wire.ts';

/** How far the time of a signature may be from ours, either way. */
const TOLERANCE_SECONDS = 300;
const MS = 1_000;
/** One time, in seconds; the signature covers it. */
const TIME = /^t=(\d{1,12})(?!.*,\s*t=)/;
/** Its time is looked at here, by the database's clock. */
const NO_TOLERANCE = 0;

const isSigned = (body: string, signature: string, secret: string): boolean => {
  try {
    Stripe.webhooks.constructEvent(body, signature, secret, NO_TOLERANCE);
    return true;
  } catch {
    // What it cannot read, the body or the header, is nothing that it has signed.
    return false;
  }
};

const isRecent = (time: string, now: Date): boolean =>
  Math.abs(now.getTime() / MS - Number(time)) <= TOLERANCE_SECONDS;

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
};

/**
 * The event that one of our secrets has signed within the last minutes; what is not signed does not cost a look at the clock. Throws
 * `payment_event_invalid`.
 */
export const verifyEvent = async (
  { webhookSecrets, isLive }: Pick<Config, 'webhookSecrets' | 'isLive'>,
  { body, signature }: { readonly body: string; readonly signature: string },
  now: () => Promise<Date>,
): Promise<PaymentEvent> => {
  const [, time] = TIME.exec(signature) ?? [];
  const isOurs =
    time !== undefined && webhookSecrets.some((secret) => isSigned(body, signature, secret.reveal()));
  if (!isOurs || !isRecent(time, await now())) throw serviceError('payment_event_invalid');
  const read = event.safeParse(parse(body));
  if (!read.success) throw serviceError('payment_event_invalid', { cause: read.error });
  if (read.data.livemode !== isLive)
    throw serviceError('payment_event_invalid', { message: 'The payment event is of the other mode.' });
  return read.data;
};
