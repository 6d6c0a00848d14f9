import type { ErrorBody, ErrorClass } from './api.ts';
import {
  AccountFrozenError,
  ApiError,
  BudgetExhaustedError,
  ConfigurationError,
  ConnectionError,
  ForbiddenError,
  InsufficientCreditsError,
  InvalidInputError,
  IpBlockedError,
  NoCaptionsError,
  NotFoundError,
  PoTokenRequiredError,
  QuotaExceededError,
  RateLimitedError,
  RelayUnavailableError,
  type TranscriptsError,
  TurnstileFailedError,
  UnavailableError,
  UpstreamError,
} from './errors.ts';

const classes: Readonly<Record<ErrorClass, typeof ApiError>> = {
  IpBlocked: IpBlockedError,
  PoTokenRequired: PoTokenRequiredError,
  RateLimited: RateLimitedError,
  Unavailable: UnavailableError,
  NoCaptions: NoCaptionsError,
  UpstreamError,
  RelayUnavailable: RelayUnavailableError,
  BudgetExhausted: BudgetExhaustedError,
  InvalidInput: InvalidInputError,
  QuotaExceeded: QuotaExceededError,
  TurnstileFailed: TurnstileFailedError,
  Forbidden: ForbiddenError,
  InsufficientCredits: InsufficientCreditsError,
  AccountFrozen: AccountFrozenError,
  ConfigurationError,
  NotFound: NotFoundError,
};

const isEnvelope = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'errorClass' in body && 'code' in body;

/** Seconds of a Retry-After header; undefined if it has none or a date. */
export const retryAfterOf = (response: Response): number | undefined => {
  const seconds = response.headers.get('retry-after');
  return seconds && /^\d+$/.test(seconds) ? Number(seconds) : undefined;
};

/** The error of an answer, by its envelope. A class that this version does not know is an `ApiError`. */
export const errorOf = async (response: Response): Promise<TranscriptsError> => {
  const { status } = response;
  const text = await response.text();
  const retryAfter = retryAfterOf(response);
  const body = parse(text);
  if (!isEnvelope(body))
    return new ConnectionError(`The answer is not from the service (HTTP ${status})`, { status, retryAfter });
  return new (classes[body.errorClass] ?? ApiError)(status, body, retryAfter ?? body.retry_after);
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
