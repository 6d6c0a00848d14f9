import type { Answer, ListedVideo, Query, SearchResult } from '../api.ts';
import { type Call, type Connection, queryCall, type RequestOptions } from '../connection.ts';
import { type Answered, readAnswer } from '../meta.ts';
import { Pages } from '../pages.ts';

type CitationChoice = Pick<Query<'citeVideo'>, 'format' | 'at'>;

export const videos = (connection: Connection) => ({
  /** What is known of a video: its id or address. Fetches nothing. */
  get: (video: string, options: RequestOptions = {}): Promise<Answered<Answer<'getVideo'>>> =>
    connection.json({ ...options, path: '/v1/video', query: { input: video } }),

  /** The caption tracks of a video and the language that is spoken; free. */
  languages: (video: string, options: RequestOptions = {}): Promise<Answer<'listLanguages'>> =>
    connection.json({ ...options, path: '/v1/video/languages', query: { input: video } }),

  /** A reference to a video, or to the second `at` of it; `apa` is the default format. Free, and fetches nothing. */
  cite: (video: string, options: CitationChoice & RequestOptions = {}): Promise<string> => {
    const query = { input: video, ...options };
    return connection.text(queryCall('/v1/video/citation', query));
  },

  /** The videos of a channel, a playlist or a `list:<key>`; `pages()` has `counts`. */
  list: (
    source: string,
    options: Pick<Query<'listVideos'>, 'contents'> & RequestOptions = {},
  ): Pages<ListedVideo, Answered<Answer<'listVideos'>>> => {
    const query = { input: source, ...options };
    return new Pages<ListedVideo, Answered<Answer<'listVideos'>>>(
      (call) => connection.pollResult(call, readAnswer<Answer<'listVideos'>>),
      queryCall('/v1/videos', query),
      (page) => page.videos,
      ({ next_offset: offset }, call) =>
        offset === null ? null : { ...call, query: { ...call.query, offset } },
    );
  },

  /** The videos that a text names, as a list to use as `input` of a job. */
  resolve: (text: string, options: RequestOptions = {}): Promise<Answered<Answer<'resolveVideos'>>> => {
    const call: Call = { ...options, method: 'POST', path: '/v1/videos/resolve', body: { text } };
    return connection.json({ ...call, repeatable: true }); // it changes nothing
  },
});

export type SearchOptions = Pick<Query<'searchPage'>, 'type' | 'channel'> & RequestOptions;
type SearchPage = Answered<Answer<'searchPage'>>;

export const search =
  (connection: Connection) =>
  /** Results page by page: each page costs a credit when it is read. */
  (q: string, options: SearchOptions = {}): Pages<SearchResult, SearchPage> => {
    const query = { q, ...options };
    return new Pages<SearchResult, SearchPage>(
      (call) => connection.json(call),
      queryCall('/v1/search', query),
      ({ results }) => results,
      ({ continuation }, call) =>
        continuation === null ? null : { ...call, query: { ...call.query, continuation } },
    );
  };
