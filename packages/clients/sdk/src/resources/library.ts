import type { Answer, Body, LibraryPassage, LibraryTranscript, Query } from '../api.ts';
import type { Call, Connection, RequestOptions } from '../connection.ts';
import { createList, type Pages, readCsv } from '../pages.ts';

type Listed = Answer<'listLibrary'>;
type SearchPage = Answer<'searchLibrary'>;
type Filters = Pick<Query<'listLibrary'>, 'job_id' | 'video_id' | 'language'>;

const path = '/v1/library';
const searchPath = `${path}/search`;

/** The most rows of a page. */
const TRANSCRIPTS_A_PAGE = 100;
const PASSAGES_A_PAGE = 50;

export const library = (connection: Connection) => ({
  /** The transcripts that the account has received, newest first, without their text; free. */
  list: (
    options: Omit<Query<'listLibrary'>, 'format'> & RequestOptions = {},
  ): Pages<LibraryTranscript, Listed> => createList(connection, path, 'transcripts', options),

  /** What was said in them: passages with all words of `q`, best first; free. "Quotes" make a phrase, -word leaves out. */
  search: (
    q: string,
    options: Omit<Query<'searchLibrary'>, 'q' | 'format'> & RequestOptions = {},
  ): Pages<LibraryPassage, SearchPage> => {
    const query: object = { q, ...options };
    return createList(connection, searchPath, 'results', query);
  },

  /** What a monitor with these words would have found in the ten newest of them; free. */
  tryWords: (body: Body<'tryWords'>, options: RequestOptions = {}): Promise<Answer<'tryWords'>> => {
    const call: Call = { ...options, method: 'POST', path: `${path}/words`, body };
    return connection.json({ ...call, repeatable: true }); // it changes nothing
  },

  /** All of the list as one CSV for a spreadsheet; with `q` all passages of a search, at most 1,000. */
  csv: (options: Filters & RequestOptions & { readonly q?: string | undefined } = {}): Promise<string> =>
    options.q === undefined
      ? readCsv(connection, path, TRANSCRIPTS_A_PAGE, options)
      : readCsv(connection, searchPath, PASSAGES_A_PAGE, options),
});
