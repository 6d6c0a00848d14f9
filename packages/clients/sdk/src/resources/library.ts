import type { Answer, Body, LibraryPassage, LibraryTranscript, Query } from '../api.ts';
import { type Call, type Connection, queryCall, type RequestOptions, sleep } from '../connection.ts';
import { createList, type Pages, readCsv } from '../pages.ts';

type Listed = Answer<'listLibrary'>;
type SearchPage = Answer<'searchLibrary'>;
type Filters = Pick<Query<'listLibrary'>, 'job_id' | 'video_id' | 'language'>;

const path = '/v1/library';
const searchPath = `${path}/search`;

/** The most rows of a page. */
const TRANSCRIPTS_A_PAGE = 100;
const PASSAGES_A_PAGE = 50;

type Index = NonNullable<SearchPage['index']>;
type SearchOptions = RequestOptions & {
  /** Called while transcripts of before become findable, with how many can be found so far. */
  readonly onIndexing?: ((index: Index) => void) | undefined;
};

const INDEX_POLL_MS = 500;

/** A page of a search, once all that was received before the first look can be found, or at least will not be soon. */
const searchWhole = async (
  connection: Connection,
  call: Call,
  onIndexing?: (index: Index) => void,
): Promise<SearchPage> => {
  for (let wanted: number | undefined; ; ) {
    const page = await connection.json<SearchPage>(call);
    const { index } = page;
    wanted ??= index?.transcripts ?? 0;
    if (!index?.is_growing || index.indexed >= wanted) return page;
    onIndexing?.(index);
    await sleep(INDEX_POLL_MS, call.signal);
  }
};

export const library = (connection: Connection) => ({
  /** The transcripts that the account has received, newest first, without their text; free. */
  list: (
    options: Omit<Query<'listLibrary'>, 'format'> & RequestOptions = {},
  ): Pages<LibraryTranscript, Listed> => createList(connection, path, 'transcripts', options),

  /**
   * What was said in them: passages with all words of `q`, best first; free. "Quotes" make a phrase, -word leaves out. Waits until all that was
   * received before can be found; `last` then has `is_complete`, which is false beyond 1,000 passages.
   */
  search: (
    q: string,
    options: Omit<Query<'searchLibrary'>, 'q' | 'format'> & SearchOptions = {},
  ): Pages<LibraryPassage, SearchPage> => {
    const { onIndexing, ...choice } = options;
    const read = (call: Call) => searchWhole(connection, call, onIndexing);
    const query: object = { q, ...choice };
    return createList(connection, searchPath, 'results', query, read);
  },

  /** What a monitor with these words would have found in the ten newest of them; free. */
  tryWords: (body: Body<'tryWords'>, options: RequestOptions = {}): Promise<Answer<'tryWords'>> => {
    const call: Call = { ...options, method: 'POST', path: `${path}/words`, body };
    return connection.json({ ...call, repeatable: true }); // it changes nothing
  },

  /**
   * All of the list as one CSV for a spreadsheet; with `q` all passages of a search, at most 1,000. Waits as `search` does; a last line says what
   * is not in it.
   */
  csv: async ({
    onIndexing,
    ...options
  }: Filters & SearchOptions & { readonly q?: string | undefined } = {}): Promise<string> => {
    if (options.q === undefined) return readCsv(connection, path, TRANSCRIPTS_A_PAGE, options);
    await searchWhole(
      connection,
      queryCall(searchPath, { ...options, limit: 1 } as RequestOptions),
      onIndexing,
    );
    return readCsv(connection, searchPath, PASSAGES_A_PAGE, options);
  },
});
