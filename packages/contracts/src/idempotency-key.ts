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
