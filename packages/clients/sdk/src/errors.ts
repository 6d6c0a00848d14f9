import type { ErrorBody, ErrorClass, ErrorCode } from './api.ts';

/** The base of every error of this package. */
export class TranscriptsError extends Error {
  // Written out, because bundlers shorten the names of classes.
  override readonly name: string = 'TranscriptsError';
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** Seconds until a repeat makes sense, if known. */
  readonly retryAfter: number | undefined;

  constructor(message: string, retryable = false, retryAfter?: number, options?: ErrorOptions) {
    super(message, options);
    this.retryable = retryable;
    this.retryAfter = retryAfter;
  }
}

/** An error that the service answered. `body` is the whole answer, with the fields of single codes such as `shortfall`. */
export class ApiError extends TranscriptsError {
  /** That of its class, such as `NoCaptionsError`. */
  override readonly name: string;
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody, retryAfter: number | undefined = body.retry_after) {
    super(body.message, body.retryable, retryAfter);
    this.name = body.errorClass.replace(/(?:Error)?$/, 'Error');
    this.status = status;
    this.body = body;
  }

  get code(): ErrorCode {
    return this.body.code;
  }
  get errorClass(): ErrorClass {
    return this.body.errorClass;
  }
  get requestId(): string {
    return this.body.request_id;
  }
  get docsUrl(): string {
    return this.body.docs_url;
  }
}

/** The connection failed, broke off or timed out, or something between here and the service answered in its place. */
export class ConnectionError extends TranscriptsError {
  override readonly name = 'ConnectionError';
  readonly status: number | undefined;

  constructor(message: string, { cause, status, retryAfter }: ConnectionFacts = {}) {
    super(message, status === undefined || GATEWAY_FAILURES.includes(status), retryAfter, { cause });
    this.status = status;
  }
}
type ConnectionFacts = { cause?: unknown; status?: number; retryAfter?: number | undefined };
/** What proxies answer while they cannot reach the service. */
const GATEWAY_FAILURES = [502, 503, 504];

/** The bytes of a download are not those that the service announced. */
export class DownloadError extends TranscriptsError {
  override readonly name = 'DownloadError';
}
/** A job had not ended within the `timeout` of `wait`; it goes on. */
export class WaitTimeoutError extends TranscriptsError {
  override readonly name = 'WaitTimeoutError';
}
/** A webhook request is not from the service, or too old. */
export class WebhookVerificationError extends TranscriptsError {
  override readonly name = 'WebhookVerificationError';
}

export class IpBlockedError extends ApiError {}
export class PoTokenRequiredError extends ApiError {}
export class RateLimitedError extends ApiError {}
export class UnavailableError extends ApiError {}
export class NoCaptionsError extends ApiError {}
export class UpstreamError extends ApiError {}
export class RelayUnavailableError extends ApiError {}
export class BudgetExhaustedError extends ApiError {}
export class InvalidInputError extends ApiError {}
export class QuotaExceededError extends ApiError {}
export class TurnstileFailedError extends ApiError {}
export class ForbiddenError extends ApiError {}
export class InsufficientCreditsError extends ApiError {}
export class AccountFrozenError extends ApiError {}
export class ConfigurationError extends ApiError {}
export class NotFoundError extends ApiError {}
