import type { Answer, Body, Link } from '../api.ts';
import type { Connection, CreateOptions, RequestOptions } from '../connection.ts';

const path = '/v1/links';
const at = (id: string) => `${path}/${encodeURIComponent(id)}`;

export const links = (connection: Connection) => ({
  /** Hands on a transcript that the account has received, or the quote from `start` to `end`: who has `url` reads it. */
  create: async (body: Body<'createLink'>, options: CreateOptions = {}): Promise<Link> =>
    (await connection.create<Answer<'createLink', 201>>({ ...options, path, body })).link,

  /** The live ones, newest first, with their ends and how often they were read. */
  list: async (options: RequestOptions = {}): Promise<Link[]> =>
    (await connection.json<Answer<'listLinks'>>({ ...options, path })).links,

  /** One link, also within eight days of its end. */
  get: async (id: string, options: RequestOptions = {}): Promise<Link> =>
    (await connection.json<Answer<'getLink'>>({ ...options, path: at(id) })).link,

  /** Takes it back, at once and for ever. */
  end: async (id: string, options: RequestOptions = {}): Promise<Link> =>
    (await connection.json<Answer<'endLink'>>({ ...options, method: 'DELETE', path: at(id) })).link,
});
