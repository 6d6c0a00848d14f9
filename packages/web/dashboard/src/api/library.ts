import { queryOptions } from '@tanstack/react-query';
import { type Answer, Transcripts } from '@transcript-delivery/sdk';
import { fileName } from '../job-plan.ts';
import { toRefusal } from './download.ts';
import { saveAs } from './save-as.ts';
import { fetchAnswer, get, send } from './send.ts';
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
const saveTable = (name: string, table: string): void =>
  saveAs(fileName(name, 1, 1, 'csv'), new Blob([table], { type: 'text/csv' }));

/** The list, or what a search finds. */
export const downloadTable = (choice: { readonly q?: string; readonly job_id?: string }): Promise<void> =>
  withKey(async (key) => {
    const { library } = new Transcripts({ apiKey: key, baseUrl: location.origin });
    const table = await library.csv(choice).catch((error) => {
      throw toRefusal(error);
    });
    saveTable(choice.q ? `Search ${choice.q}` : 'Library', table);
  });

/** All pages of matches, with one header. Spreadsheets need the mark that the decoder of an answer takes away. */
export const downloadMatches = (ofMonitor: Record<string, string>): Promise<void> =>
  withKey(async (key) => {
    let table = '\ufeff';
    const first = new URLSearchParams({ ...ofMonitor, format: 'csv', limit: '100' });
    for (let next: string | undefined = `/v1/matches?${first}`; next; ) {
      const answer: Response = await fetchAnswer('GET', next, { key });
      const page = await answer.text();
      table += table.length > 1 ? page.slice(page.indexOf('\n') + 1) : page;
      next = answer.headers.get('link')?.split(/[<>]/)[1];
    }
    saveTable('Matches', table);
  });
