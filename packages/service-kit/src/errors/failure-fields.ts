import { ServiceError } from '@tds/contracts';
import { errorText } from './error-text.ts';
import { isAway } from './is-away.ts';
import { LeaseLost } from './lease-lost.ts';

const MOST_CAUSES = 4;
const MAX_CHARACTERS = 500;

const isForeseen = (thrown: unknown): boolean =>
  thrown instanceof LeaseLost ||
  (thrown instanceof ServiceError && thrown.code !== 'unexpected_error') ||
  isAway(thrown);

/** Of several errors, the first stands for all. */
const causeOf = (thrown: unknown): unknown => {
  if (thrown instanceof AggregateError) return thrown.errors[0];
  return Error.isError(thrown) ? thrown.cause : undefined;
};

/** An error and what it was caused by, in one line. */
export const reasonText = (thrown: unknown): string => {
  const parts: string[] = [];
  for (let next = thrown; next !== undefined && parts.length < MOST_CAUSES; next = causeOf(next))
    parts.push(errorText(next));
  return parts.join(' <- ').slice(0, MAX_CHARACTERS);
};

/** A failure as the log shows it: one line if it was foreseen, whole with its stack if not. */
export const failureFields = (thrown: unknown): { reason: string } | { error: unknown } =>
  isForeseen(thrown) ? { reason: reasonText(thrown) } : { error: thrown };
