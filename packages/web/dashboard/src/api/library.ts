import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '@transcript-delivery/sdk';
import { get, send } from './send.ts';
import { withKey } from './with-key.ts';

/** What the account has received. A session may list it. */
export const libraryQuery = (filter: string) =>
  queryOptions({
    queryKey: ['library', 'list', filter],
    queryFn: ({ signal }) => get<Answer<'listLibrary'>>(`/v1/library?${filter}`, signal),
  });

/** Passages with words of it. Their text is for keys. */
export const passagesQuery = (filter: string) =>
  queryOptions({
    queryKey: ['library', 'search', filter],
    queryFn: ({ signal }) =>
      withKey((key) => send<Answer<'searchLibrary'>>('GET', `/v1/library/search?${filter}`, { key, signal })),
  });
