import type { Answer, Body, LibraryPassage, LibraryTranscript, Query } from '../api.ts';
import type { Call, Connection, RequestOptions } from '../connection.ts';
import { createList, type Pages } from '../pages.ts';

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
  csv: async ({
    signal,
    timeoutMs,
    q,
    ...filters
  }: Filters & RequestOptions & { readonly q?: string | undefined } = {}): Promise<string> => {
    // Spreadsheets need the byte order mark, which the decoder of an answer takes away.
    let table = '\ufeff';
    let [next, limit]: [string | undefined, number] =
      q === undefined ? [path, TRANSCRIPTS_A_PAGE] : [searchPath, PASSAGES_A_PAGE];
    for (let query: object = { q, ...filters, format: 'csv', limit }; next; query = {}) {
      table += await connection.pollResult({ signal, timeoutMs, path: next, query }, async (response) => {
        next = response.headers.get('link')?.split(/[<>]/)[1];
        const page = await response.text();
        // The header of a page ends with its first line break: no name in it has one.
        return table.length > 1 ? page.slice(page.indexOf('\n') + 1) : page;
      });
    }
    return table;
  },
});
