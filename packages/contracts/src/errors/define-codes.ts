import { type ErrorClass, errorClasses } from './error-classes.ts';

/** What a code means for a caller. `alsoIn` lists further classes that may carry the same code. */
export type ErrorCodeDefinition = {
  readonly errorClass: ErrorClass;
  readonly status: number;
  readonly retryable: boolean;
  readonly message: string;
  readonly alsoIn: readonly ErrorClass[];
};

type Row = string | { message: string; status?: number; retryable?: boolean; alsoIn?: readonly ErrorClass[] };

/** Rows of one class: a bare string is the default message; an object overrides the class's defaults. */
export function defineCodes<const Rows extends Record<string, Row>>(
  errorClass: ErrorClass,
  rows: Rows,
): { readonly [Code in keyof Rows]: ErrorCodeDefinition } {
  const defaults = errorClasses[errorClass];
  const entries = Object.entries<Row>(rows).map(([code, row]) => {
    const given = typeof row === 'string' ? { message: row } : row;
    const definition: ErrorCodeDefinition = {
      errorClass,
      status: given.status ?? defaults.status,
      retryable: given.retryable ?? defaults.retryable,
      message: given.message,
      alsoIn: given.alsoIn ?? [],
    };
    return [code, definition];
  });
  return Object.fromEntries(entries);
}
