import { z } from 'zod';
import { MAX_ACCOUNT_NAME_LENGTH } from './limits.ts';

/** Marks of direction, and invisible characters that no script needs. */
const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u;

/** By which an account calls itself to strangers. */
export const accountName = z
  .string()
  .trim()
  .min(1)
  .max(MAX_ACCOUNT_NAME_LENGTH, { abort: true })
  .refine((name) => name.isWellFormed() && !UNSEEN.test(name) && /[\p{L}\p{N}]/u.test(name))
  .meta({ examples: ['Harbour Research'] });
