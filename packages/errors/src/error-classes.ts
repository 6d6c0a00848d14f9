/**
 * The sixteen error classes of the specification, part 7, with their defaults. `exitCode` is that of the command line: 2 input, 3 credential,
 * 4 credits, 5 no captions, 6 unavailable, 7 quota, 8 try again, 9 a fault of the service.
 */
export const errorClasses = {
  IpBlocked: {
    status: 502,
    retryable: true,
    exitCode: 8,
    means:
      'The video platform blocked the route of this fetch. Cached reads are unaffected. Retry with backoff.',
  },
  PoTokenRequired: {
    status: 502,
    retryable: false,
    exitCode: 9,
    means: 'The platform changed what its routes require. Nothing a caller can fix; we are on it.',
  },
  RateLimited: {
    status: 502,
    retryable: true,
    exitCode: 8,
    means: 'The platform asked for a slower cadence, or refused an on-the-fly translation.',
  },
  Unavailable: {
    status: 410,
    retryable: false,
    exitCode: 6,
    means: 'The video is private, deleted, members-only or otherwise unavailable. Durable per video.',
  },
  NoCaptions: {
    status: 404,
    retryable: false,
    exitCode: 5,
    means: 'The video has no public caption track, or not in the language that strict mode demands.',
  },
  UpstreamError: {
    status: 502,
    retryable: true,
    exitCode: 8,
    means: 'A system that the service depends on answered unexpectedly. Retry with backoff.',
  },
  RelayUnavailable: {
    status: 502,
    retryable: true,
    exitCode: 8,
    means: 'The transcript relay did not answer. Retry with backoff.',
  },
  BudgetExhausted: {
    status: 503,
    retryable: false,
    exitCode: 8,
    means:
      'New transcripts pause while the shared proxy budget refills. Cached reads keep working; bulk jobs pause and resume by themselves.',
  },
  InvalidInput: {
    status: 400,
    retryable: false,
    exitCode: 2,
    means: 'A parameter, body field, path, query mode or method is malformed; the code names it.',
  },
  QuotaExceeded: {
    status: 429,
    retryable: false,
    exitCode: 7,
    means: 'A cap or throttle was reached; retry_after says when it clears.',
  },
  TurnstileFailed: {
    status: 403,
    retryable: false,
    exitCode: 3,
    means: 'The bot check of the free site failed. Never returned to requests with an API key.',
  },
  Forbidden: {
    status: 403,
    retryable: false,
    exitCode: 3,
    means: 'The credential is missing, malformed, revoked or unknown, or does not fit this route.',
  },
  InsufficientCredits: {
    status: 402,
    retryable: false,
    exitCode: 4,
    means: 'The available balance does not cover the work; the page at buy_url sells more credits.',
  },
  AccountFrozen: {
    status: 403,
    retryable: false,
    exitCode: 3,
    means: 'The account is frozen: nothing can be spent until support has lifted it.',
  },
  ConfigurationError: {
    status: 503,
    retryable: false,
    exitCode: 9,
    means: 'The service itself is not able to do this at the moment.',
  },
  NotFound: {
    status: 404,
    retryable: false,
    exitCode: 6,
    means: 'The platform has nothing at this well-formed address.',
  },
} as const satisfies Record<string, { status: number; retryable: boolean; exitCode: number; means: string }>;

export type ErrorClass = keyof typeof errorClasses;

/** The page of the dashboard or the documentation for a remedy. */
type RemedyPlace = 'billing' | 'keys' | 'people' | 'webhooks' | 'jobs' | 'docs';

/** An error code for callers. `alsoIn` lists further classes with the same code. */
export type ErrorCodeDefinition = {
  readonly errorClass: ErrorClass;
  readonly status: number;
  readonly retryable: boolean;
  readonly message: string;
  /** The next step of the caller. */
  readonly remedy: string;
  readonly place: RemedyPlace | null;
  /** Whether the same request succeeds after a while; `retry_after` alone does not say so. */
  readonly waitingHelps: boolean;
  readonly alsoIn: readonly ErrorClass[];
};

type CodeDeclaration = Pick<ErrorCodeDefinition, 'message' | 'remedy'> & Partial<ErrorCodeDefinition>;

/** Declares codes of one class and one place; a code overrides these defaults. */
export function defineCodes<const Codes extends Record<string, CodeDeclaration>>(
  errorClass: ErrorClass,
  codes: Codes,
  place: RemedyPlace | null = null,
): { readonly [Code in keyof Codes]: ErrorCodeDefinition } {
  const { status, retryable } = errorClasses[errorClass];
  const entries = Object.entries<CodeDeclaration>(codes).map(([code, declaration]) => {
    const waitingHelps = declaration.retryable ?? retryable;
    const defaults = { errorClass, status, retryable, place, waitingHelps, alsoIn: [] };
    return [code, { ...defaults, ...declaration } satisfies ErrorCodeDefinition];
  });
  return Object.fromEntries(entries);
}

/** An invalid field; `message` states its rule. */
export const invalidField = (name: string, message: string): CodeDeclaration => ({
  message,
  remedy: `Correct ${name} and send the request again.`,
});

/** An id of a `what` that does not belong to the account. */
export const unknownId = (what: string): CodeDeclaration => ({
  status: 404,
  message: `No such ${what} belongs to this account.`,
  remedy: `List what the account has and send the id of a ${what} of it.`,
});

/** A failure that passes by itself. */
export const transient = (message: string, remedy = 'Retry with backoff.'): CodeDeclaration => ({
  message,
  remedy,
  waitingHelps: true,
});
