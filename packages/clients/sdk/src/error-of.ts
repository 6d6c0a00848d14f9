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

/** A date of HTTP, in any of its three forms, which are all UTC. */
const parseDate = (text: string): number =>
  /^[A-Z][a-z]{2,8},? [\w :-]{10,30}$/.test(text) ? Date.parse(text.replace(/( GMT)?$/, ' GMT')) : Number.NaN;

/** Seconds of a Retry-After header, which is a number or a date; undefined if there is none. */
export const parseRetryAfter = ({ headers }: Response): number | undefined => {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  // The clock of the service, if the answer shows it: the own one may be wrong.
  const now = parseDate(headers.get('date') ?? '');
  const seconds = Math.ceil((parseDate(text) - (Number.isNaN(now) ? Date.now() : now)) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
};

/** The error of an answer, by its envelope. A class that this version does not know is an `ApiError`. */
export const readError = async (response: Response): Promise<TranscriptsError> => {
  const { status } = response;
  const text = await response.text();
  const retryAfter = parseRetryAfter(response);
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
