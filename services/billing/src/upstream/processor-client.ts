import { boundedAgent, type ReceivedAnswer, receive } from '@tds/bounded-http';
import { type ErrorCode, type ServiceError, serviceError } from '@tds/errors';
import Stripe from 'stripe';
import type { z } from 'zod';

/** Whether the processor rejects a request for good. */
export const isRefusal = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError;

const isOurFault = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeAuthenticationError ||
  error instanceof Stripe.errors.StripePermissionError;

const RETRY_SECONDS = 5;

/** The error that callers get. The processor's own message goes to the log. */
const translate = (cause: unknown): ServiceError => {
  if (isOurFault(cause)) return serviceError('configuration_error', { cause });
  if (isRefusal(cause)) return serviceError('payment_response_invalid', { cause });
  return serviceError('payment_request_failed', { cause, retryAfterSeconds: RETRY_SECONDS });
};

/**
 * Awaits the processor's answer and parses it. Throws `payment_request_failed`, `configuration_error`, or `code` if the answer does not
 * parse.
 */
export const ask = async <Schema extends z.ZodType>(
  request: Promise<unknown>,
  schema: Schema,
  code: ErrorCode = 'payment_response_invalid',
): Promise<z.output<Schema>> => {
  const answer = await request.catch((error: unknown) => {
    throw translate(error);
  });
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw serviceError(code as 'payment_response_invalid', { cause: parsed.error });
  return parsed.data;
};

/** A page of a hundred events has half a mebibyte. */
const MAX_BODY_BYTES = 8 * 1_024 * 1_024;
/** Headers and chunk sizes. */
const BESIDE_BODY_BYTES = 256 * 1_024;

class Answer extends Stripe.HttpClientResponse {
  readonly #body: Buffer;

  constructor({ status, headers, body }: ReceivedAnswer) {
    super(status, headers as Record<string, string | string[]>);
    this.#body = body;
  }

  override getRawResponse(): Buffer {
    return this.#body;
  }

  override async toJSON(): Promise<unknown> {
    return JSON.parse(this.#body.toString('utf8'));
  }
}

/** An HTTP client for the processor's library: it reads a bounded number of bytes of each answer, and gives up when `ending` fires. */
export const createProcessorHttp = (ending?: AbortSignal): Stripe.HttpClient => {
  const agent = boundedAgent(MAX_BODY_BYTES + BESIDE_BODY_BYTES, {});
  const client = new Stripe.HttpClient();
  return Object.assign(client, {
    getClientName: () => 'bounded',
    async makeRequest(...parameters: Parameters<typeof client.makeRequest>) {
      const [host, port, path, method, headers, body, protocol, timeoutMs] = parameters;
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = ending ? AbortSignal.any([timeout, ending]) : timeout;
      const origin = `${protocol}://${host}:${port}`;
      const request = { origin, path, method, headers, body: body || null };
      const bounds = { signal, capBytes: MAX_BODY_BYTES, meter: { bytes: 0, status: null } };
      try {
        return new Answer(await receive(agent, request as Parameters<typeof receive>[1], bounds));
      } catch (error) {
        throw timeout.aborted ? Stripe.HttpClient.makeTimeoutError() : error;
      }
    },
  });
};
