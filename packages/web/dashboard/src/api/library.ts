import { queryOptions } from '@tanstack/react-query';
import { type Answer, Transcripts } from '@transcript-delivery/sdk';
import { fileName } from '../job-plan.ts';
import { saveAs, toRefusal } from './download.ts';
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

/** A list as one file for a spreadsheet. */
export const downloadTable = (name: string, read: (client: Transcripts) => Promise<string>): Promise<void> =>
  withKey(async (key) => {
    const table = await read(new Transcripts({ apiKey: key, baseUrl: location.origin })).catch((error) => {
      throw toRefusal(error);
    });
    saveAs(fileName(name, 1, 1, 'csv'), new Blob([table], { type: 'text/csv' }));
  });
