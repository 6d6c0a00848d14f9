import { type ErrorCode, type ServiceError, serviceError } from '@tds/contracts';
import Stripe from 'stripe';
import type { z } from 'zod';

/** Whether the processor has understood what was asked, and will never do it. */
export const isRefusal = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError;

const isOurFault = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeAuthenticationError ||
  error instanceof Stripe.errors.StripePermissionError;

const RETRY_SECONDS = 5;

/** What callers are told; the processor's own words go to the log. */
const translate = (cause: unknown): ServiceError => {
  if (isOurFault(cause)) return serviceError('configuration_error', { cause });
  if (isRefusal(cause)) return serviceError('payment_response_invalid', { cause });
  return serviceError('payment_request_failed', { cause, retryAfterSeconds: RETRY_SECONDS });
};

/** Asks the processor, and reads what it answers. Throws `payment_request_failed`, `configuration_error`, or `code` for what it should not say. */
export const ask = async <Schema extends z.ZodType>(
  request: Promise<unknown>,
  schema: Schema,
  code: ErrorCode = 'payment_response_invalid',
): Promise<z.output<Schema>> => {
  const answer = await request.catch((error: unknown) => {
    throw translate(error);
  });
  const read = schema.safeParse(answer);
  if (!read.success) throw serviceError(code as 'payment_response_invalid', { cause: read.error });
  return read.data;
};
