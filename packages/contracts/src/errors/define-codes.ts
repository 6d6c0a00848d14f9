import { type ErrorClass, errorClasses } from './error-classes.ts';

/** The part of the dashboard or of the documentation in which a remedy is carried out. */
export type RemedyPlace = 'billing' | 'keys' | 'webhooks' | 'jobs' | 'docs';

/** What a code means for a caller. `alsoIn` lists further classes that may carry the same code. */
export type ErrorCodeDefinition = {
  readonly errorClass: ErrorClass;
  readonly status: number;
  readonly retryable: boolean;
  readonly message: string;
  /** What the caller does next. */
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
  const entries = Object.entries<CodeDeclaration>(codes).map(([code, declared]) => {
    const waitingHelps = declared.retryable ?? retryable;
    const defaults = { errorClass, status, retryable, place, waitingHelps, alsoIn: [] };
    return [code, { ...defaults, ...declared } satisfies ErrorCodeDefinition];
  });
  return Object.fromEntries(entries);
}

/** A field that breaks its rule, which `message` states. */
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
export const passing = (message: string, remedy = 'Retry with backoff.'): CodeDeclaration => ({
  message,
  remedy,
  waitingHelps: true,
});
