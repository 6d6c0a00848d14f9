import type { Answer, LibraryPassage, LibraryTranscript, Query } from '../api.ts';
import type { Connection, RequestOptions } from '../connection.ts';
import { createList, type Pages } from '../pages.ts';

type Listed = Answer<'listLibrary'>;
type SearchPage = Answer<'searchLibrary'>;
type Filters = Pick<Query<'listLibrary'>, 'job_id' | 'video_id' | 'language'>;

const path = '/v1/library';
const searchPath = `${path}/search`;

/** The most rows of a page. */
const TRANSCRIPTS_A_PAGE = 100;
const PASSAGES_A_PAGE = 50;

/** Every page of a table as one: the header of a page ends with its first line break, and no name in it has one. */
const readTable = async (
  connection: Connection,
  { path, query, ...options }: RequestOptions & { readonly path: string; readonly query: object },
): Promise<string> => {
  // Spreadsheets need the byte order mark, which the decoder of an answer takes away.
  let table = '\ufeff';
  for (let next: string | undefined = path, sent = query; next !== undefined; sent = {}) {
    const isFirst = next === path;
    const page: { text: string; link: string | null } = await connection.pollResult(
      { ...options, path: next, query: sent },
      async (response) => ({ text: await response.text(), link: response.headers.get('link') }),
    );
    table += isFirst ? page.text : page.text.slice(page.text.indexOf('\n') + 1);
    next = /^<([^>]+)>; rel="next"$/.exec(page.link ?? '')?.[1];
  }
  return table;
};

export const library = (connection: Connection) => ({
  /** The transcripts that the account has received, newest first, without their text; free. */
  list: ({
    signal,
    timeoutMs,
    ...query
  }: Omit<Query<'listLibrary'>, 'format'> & RequestOptions = {}): Pages<LibraryTranscript, Listed> =>
    createList(connection, { signal, timeoutMs, query, path }, (page: Listed) => page.transcripts),

  /** What was said in them: passages with all words of `q`, best first; free. "Quotes" make a phrase, -word leaves out. */
  search: (
    q: string,
    { signal, timeoutMs, ...choice }: Omit<Query<'searchLibrary'>, 'q' | 'format'> & RequestOptions = {},
  ): Pages<LibraryPassage, SearchPage> =>
    createList(
      connection,
      { signal, timeoutMs, query: { q, ...choice }, path: searchPath },
      (page: SearchPage) => page.results,
    ),

  /** All of the list as one CSV for a spreadsheet; with `q` all passages of a search, at most 1,000. */
  csv: ({
    signal,
    timeoutMs,
    q,
    ...filters
  }: Filters & RequestOptions & { readonly q?: string | undefined } = {}): Promise<string> =>
    readTable(connection, {
      signal,
      timeoutMs,
      ...(q === undefined
        ? { path, query: { ...filters, format: 'csv', limit: TRANSCRIPTS_A_PAGE } }
        : { path: searchPath, query: { q, ...filters, format: 'csv', limit: PASSAGES_A_PAGE } }),
    }),
});
