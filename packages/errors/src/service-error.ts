import { z } from 'zod';
import { type ErrorClass, errorClasses } from './error-classes.ts';
import { type ErrorCode, errorCodeDefinition, errorCodes, statusIn } from './error-codes.ts';

/** Fields that some codes add to the envelope (specification, part 7). */
export type ErrorExtras = {
  readonly insufficient_credits: { required: number; available: number; shortfall: number; buy_url: string };
  readonly active_job_cap: { active_job_ids: readonly string[] };
  /** Null while its page is being opened. */
  readonly purchase_in_progress: { checkout_url: string | null };
  readonly method_not_allowed: { allow: readonly string[] };
  readonly range_not_satisfiable: { bytes: number };
  /** Empty if no app may do it. */
  readonly insufficient_scope: { needed_scopes: readonly string[] };
  readonly language_unavailable: { available_languages: readonly string[] };
};

export type ServiceErrorOptions = {
  /** Replaces the code's default text; public, so no internals. */
  readonly message?: string;
  /** Whole seconds until a retry makes sense. */
  readonly retryAfterSeconds?: number;
  /** One of the code's further classes, if the default does not fit. */
  readonly errorClass?: ErrorClass;
  readonly retryable?: boolean;
  /** The work has certainly not begun: no instance received the request, or the one that did rejected it unread. */
  readonly nothingBegun?: true;
  /** The private cause: goes to the log, never to a caller. */
  readonly cause?: unknown;
};

/** An error as it crosses the bus: data that becomes the same class again on the other side. */
export const serviceErrorData = z.object({
  code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]).meta({ id: 'ErrorCode' }),
  errorClass: z.enum(Object.keys(errorClasses) as [ErrorClass, ...ErrorClass[]]).meta({ id: 'ErrorClass' }),
  message: z.string(),
  retryable: z.boolean(),
  retryAfterSeconds: z.number().int().nonnegative().optional(),
  extras: z.record(z.string(), z.unknown()).optional(),
  nothingBegun: z.literal(true).optional(),
});
export type ServiceErrorData = z.infer<typeof serviceErrorData>;

/** The only error that callers see; all others become `unexpected_error`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly data: ServiceErrorData;

  constructor(data: ServiceErrorData, cause?: unknown) {
    super(data.message, cause === undefined ? undefined : { cause });
    this.data = data;
  }

  get code(): ErrorCode {
    return this.data.code;
  }

  get errorClass(): ErrorClass {
    return this.data.errorClass;
  }

  get status(): number {
    return statusIn(this.errorClass, errorCodeDefinition(this.code));
  }
}

/** Whether a thrown value is the error of this code. */
export const hasCode = (thrown: unknown, code: ErrorCode): thrown is ServiceError =>
  thrown instanceof ServiceError && thrown.code === code;

/** Creates an error; the code gives its class, status, retryability and text. */
export function serviceError<Code extends ErrorCode>(
  code: Code,
  ...[options]: Code extends keyof ErrorExtras
    ? [ServiceErrorOptions & { extras: ErrorExtras[Code] }]
    : [(ServiceErrorOptions & { extras?: never })?]
): ServiceError {
  const { cause, ...overrides }: ServiceErrorOptions & Pick<ServiceErrorData, 'extras'> = options ?? {};
  const { errorClass, message, retryable } = errorCodeDefinition(code);
  return new ServiceError({ code, errorClass, message, retryable, ...overrides }, cause);
}
