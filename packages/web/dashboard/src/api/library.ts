import { queryOptions } from '@tanstack/react-query';
import { type Answer, Transcripts } from '@transcript-delivery/sdk';
import { fileName } from '../job-plan.ts';
import { toRefusal } from './download.ts';
import { saveAs } from './save-as.ts';
import { get, send } from './send.ts';
import { withKey } from './with-key.ts';

/** What the account has received. A session may list it. */
export const libraryQuery = (filter: string) =>
  queryOptions({
    queryKey: ['library', 'list', filter],
    queryFn: ({ signal }) => get<Answer<'listLibrary'>>(`/v1/library?${filter}`, signal),
  });

const GROWING_MS = 1_000;

/** Passages with words of it. Their text is for keys. */
export const passagesQuery = (filter: string) =>
  queryOptions({
    queryKey: ['library', 'search', filter],
    queryFn: ({ signal }) =>
      withKey((key) => send<Answer<'searchLibrary'>>('GET', `/v1/library/search?${filter}`, { key, signal })),
    // Each look waits for some seconds itself.
    refetchInterval: ({ state: { data } }) => (data?.index?.is_growing ? GROWING_MS : false),
  });

type ReadTable = (client: Transcripts) => Promise<string>;

/** Saves a list as one file for a spreadsheet. */
const saveTable = (name: string, read: ReadTable): Promise<void> =>
  withKey(async (key) => {
    const table = await read(new Transcripts({ apiKey: key, baseUrl: location.origin })).catch((error) => {
      throw toRefusal(error);
    });
    saveAs(fileName(name, 1, 1, 'csv'), new Blob([table], { type: 'text/csv' }));
  });

/** The list, or what a search finds. */
export const downloadTable = (choice: { readonly q?: string; readonly job_id?: string }): Promise<void> =>
  saveTable(choice.q ? `Search ${choice.q}` : 'Library', ({ library }) => library.csv(choice));

export const downloadMatches = (ofMonitor: { readonly monitor_id?: string }): Promise<void> =>
  saveTable('Matches', ({ monitors }) => monitors.matchesCsv(ofMonitor));
