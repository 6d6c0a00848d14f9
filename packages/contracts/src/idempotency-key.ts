import { serviceError } from '@tds/errors';
import { z } from 'zod';

export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';
/** After that the same Idempotency-Key is a new one. */
export const IDEMPOTENCY_KEY_HOURS = 24;

const MAX_LENGTH = 128;
/** Printable ASCII, not only spaces. */
export const idempotencyKey = z
  .string()
  .min(1)
  .max(MAX_LENGTH, { abort: true })
  .regex(/^ *[!-~][ -~]*$/)
  // The same, as it was published: a change of its text would look like a narrower rule.
  .meta({ pattern: '^[ -~]*[!-~][ -~]*$' });

/** Parses all occurrences of the header; null without one. Throws `invalid_idempotency_key`. */
export const parseIdempotencyKey = (sent: readonly string[] | undefined): string | null => {
  if (sent === undefined) return null;
  const key = idempotencyKey.safeParse(sent[0]);
  if (sent.length !== 1 || !key.success) throw serviceError('invalid_idempotency_key');
  return key.data;
};
