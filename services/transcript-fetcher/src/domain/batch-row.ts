import type { BatchRow } from '@tds/contracts';
import { answerOf, type CacheAnswer, type CacheEntry } from './cache-entry.ts';
import type { Operation } from './operation.ts';

/** A row of a batch as it stands: its own operation, if there is one, and what the cache knows. */
export type FoundRow = BatchRow & {
  readonly operation: Pick<Operation, 'state' | 'charge' | 'isFallback' | 'translation' | 'error'> | null;
  /** The transcript is that of the operation, once that is delivered. */
  readonly entry: CacheEntry;
};

/** `unknown`: neither an operation nor an answer of the cache. */
export type RowStanding = { readonly charge: number } & (CacheAnswer | { readonly kind: 'under way' });

/** Its own operation has the first word: sent again, a row is what it was. */
export function standingOf(row: FoundRow, wanted: { fallback: boolean }, now: Date): RowStanding {
  const { operation, entry } = row;
  if (operation === null) return { charge: 0, ...answerOf(entry, wanted, now) };
  const { state, charge, error, isFallback, translation } = operation;
  if (state === 'failed' && error) return { charge, kind: 'failed', error };
  if (state !== 'delivered') return { charge, kind: 'under way' };
  const { transcript, rendered } = entry;
  if (transcript === null || isFallback === null || translation === null)
    throw new Error(`operation ${row.operationId} is delivered without a transcript`);
  return { charge, kind: 'hit', hit: { transcript, choice: { isFallback, translation }, rendered } };
}
