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

/** Declares codes of one class; a code overrides the defaults of its class. */
export function defineCodes<const Codes extends Record<string, CodeDeclaration>>(
  errorClass: ErrorClass,
  codes: Codes,
): { readonly [Code in keyof Codes]: ErrorCodeDefinition } {
  const { status, retryable } = errorClasses[errorClass];
  const entries = Object.entries<CodeDeclaration>(codes).map(([code, declared]) => [
    code,
    {
      ...{ errorClass, status, retryable, place: null, alsoIn: [] },
      waitingHelps: declared.retryable ?? retryable,
      ...declared,
    } satisfies ErrorCodeDefinition,
  ]);
  return Object.fromEntries(entries);
}

/** A field that breaks its rule, which `message` states. */
export const invalidField = (name: string, message: string): CodeDeclaration => ({
  message,
  remedy: `Correct ${name} and send the request again.`,
});
