import { accessCodes } from './access-codes.ts';
import { accountCodes } from './account-codes.ts';
import { type ErrorClass, type ErrorCodeDefinition, errorClasses } from './error-classes.ts';
import { quotaCodes } from './quota-codes.ts';
import { requestCodes } from './request-codes.ts';
import { upstreamCodes } from './upstream-codes.ts';
import { webhookCodes } from './webhook-codes.ts';
import { workCodes } from './work-codes.ts';

/** Every code that an answer can carry. A code's class, status, retryability and remedy stand here and nowhere else. */
export const errorCodes = {
  ...requestCodes,
  ...accountCodes,
  ...webhookCodes,
  ...workCodes,
  ...quotaCodes,
  ...upstreamCodes,
  ...accessCodes,
};

export type ErrorCode = keyof typeof errorCodes;

export const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(errorCodes, code);

export const errorCodeDefinition = (code: ErrorCode): ErrorCodeDefinition => errorCodes[code];

/** The HTTP status of a code in one of its classes. */
export const statusIn = (errorClass: ErrorClass, { status, ...definition }: ErrorCodeDefinition): number =>
  errorClass === definition.errorClass ? status : errorClasses[errorClass].status;

/** Every HTTP status that a code can be answered with. */
export const statusesOf = (code: ErrorCode): readonly number[] => {
  const definition = errorCodeDefinition(code);
  const classes = [definition.errorClass, ...definition.alsoIn];
  return [...new Set(classes.map((errorClass) => statusIn(errorClass, definition)))];
};
