import type { Semaphore } from '@tds/base';
import type { RequestOf, transcriptFetcher } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { dictionaries, dictionaryOf } from '../domain/dictionaries.ts';
import { parseQuery, toLexemeQuery, wordsIn } from '../domain/library-query.ts';
import { findLexemes } from '../store/lexemes.ts';
import { type FoundPassages, findPassages } from '../store/library-search.ts';

/** Searches of this instance at once, so that they leave most connections to reads. */
export const SEARCHES_AT_ONCE = 3;

type SearchDeps = Pick<Deps, 'sql' | 'pool' | 'searches'>;
type SearchRequest = RequestOf<typeof transcriptFetcher.searchLibrary>;

const withPlace = async <T>(places: Semaphore, work: () => Promise<T>): Promise<T> => {
  while (places.free() <= 0) await places.whenFree();
  return await places.run(work);
};

/** Finds passages with all words of a query, in the languages of the account's transcripts. */
export const searchLibrary = async (
  { sql, pool, searches }: SearchDeps,
  { q, limit, offset, ...selection }: SearchRequest,
  signal: AbortSignal,
): Promise<FoundPassages> => {
  const terms = parseQuery(q);
  return await withPlace(searches, async () => {
    signal.throwIfAborted();
    const chosen = selection.language === undefined ? dictionaries : [dictionaryOf(selection.language)];
    const lexemes = await findLexemes(sql, chosen, wordsIn(terms));
    const queries = chosen.map((dictionary) =>
      toLexemeQuery(terms, dictionary, (word) => lexemes.get(dictionary)?.get(word) ?? word),
    );
    return await findPassages(pool, selection, queries, { limit, offset });
  });
};
