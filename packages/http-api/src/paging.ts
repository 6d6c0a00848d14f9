import { z } from 'zod';
import { field } from './define-route.ts';
import { wholeNumber } from './rules.ts';

const MOST_SKIPPED = 1_000_000;
const count = z.number().int().nonnegative();

/** The parameters of a list: `most` rows of a page, at most. */
export const pageFields = (most: number, byDefault: number, mostSkipped = MOST_SKIPPED) => ({
  limit: field(wholeNumber(1, most, byDefault), 'invalid_limit', `Rows of a page: 1 to ${most}`),
  offset: field(wholeNumber(0, mostSkipped, 0), 'invalid_offset', 'Rows before the page'),
});

/** What every list says of its pages, beside its rows. */
export const pageBody = {
  limit: count,
  offset: count,
  total: count.describe('Rows on all pages'),
  has_more: z.boolean(),
  next: z.string().nullable().describe('The next page, as a relative URL; null on the last one'),
};
