import { randomUUID } from 'node:crypto';
import { transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { restoreTranscript } from '../reads/read-transcript.ts';
import { searchLibrary as search } from './search-library.ts';
import { listEntries, saveReads } from './store/library.ts';

export const listLibrary = onCommand(
  transcriptFetcher.listLibrary,
  async ({ sql }: Deps, { limit, offset, ...selection }) =>
    await listEntries(sql, selection, { limit, offset }),
);

export const searchLibrary = onCommand(
  transcriptFetcher.searchLibrary,
  async (deps: Deps, request, { signal }) => await search(deps, request, signal),
);

const freeRead = { keyId: null, fallback: true, format: 'json' } as const;

export const recordReads = onCommand(transcriptFetcher.recordReads, async (deps: Deps, { reads }) => {
  for (const { accountId, videoId, language } of await saveReads(deps.sql, reads)) {
    await restoreTranscript(deps, { ...freeRead, accountId, videoId, language, requestId: randomUUID() });
  }
  return {};
});
