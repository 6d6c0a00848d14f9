import { readTerms, type Term, wordsIn } from './library-query.ts';

/** Some hundred bytes each. */
const MAX_KNOWN_QUERIES = 20_000;

type KnownQuery = { readonly terms: readonly Term[]; readonly words: readonly string[] };
export type QueryReader = (query: string) => KnownQuery | null;

/** Reads queries, and keeps many: those of monitors come with each of their videos. */
export const createQueryReader = (): QueryReader => {
  const known = new Map<string, KnownQuery | null>();
  return (query) => {
    const before = known.get(query);
    if (before !== undefined) return before;
    if (known.size >= MAX_KNOWN_QUERIES) known.clear();
    const terms = readTerms(query);
    const read = terms && { terms, words: wordsIn(terms) };
    known.set(query, read);
    return read;
  };
};
