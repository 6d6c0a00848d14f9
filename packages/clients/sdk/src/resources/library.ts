import type { Answer, LibraryPassage, LibraryTranscript, Query } from '../api.ts';
import type { Connection, RequestOptions } from '../connection.ts';
import { createList, type Pages } from '../pages.ts';

type Listed = Answer<'listLibrary'>;
type SearchPage = Answer<'searchLibrary'>;

export const library = (connection: Connection) => ({
  /** The transcripts that the account has received, newest first, without their text; free. */
  list: ({
    signal,
    timeoutMs,
    ...query
  }: Query<'listLibrary'> & RequestOptions = {}): Pages<LibraryTranscript, Listed> =>
    createList(
      connection,
      { signal, timeoutMs, query, path: '/v1/library' },
      (page: Listed) => page.transcripts,
    ),

  /** What was said in them: passages with all words of `q`, best first; free. "Quotes" make a phrase, -word leaves out. */
  search: (
    q: string,
    { signal, timeoutMs, ...choice }: Omit<Query<'searchLibrary'>, 'q'> & RequestOptions = {},
  ): Pages<LibraryPassage, SearchPage> =>
    createList(
      connection,
      { signal, timeoutMs, query: { q, ...choice }, path: '/v1/library/search' },
      (page: SearchPage) => page.results,
    ),
});
