import { transcriptFetcher } from '@tds/contracts';
import { onCommand } from '@tds/kit';
import { searchLibrary as search } from '../application/search-library.ts';
import type { Deps } from '../deps.ts';
import { listEntries, saveReads } from '../store/library.ts';

export const listLibrary = onCommand(
  transcriptFetcher.listLibrary,
  async ({ sql }: Deps, { limit, offset, ...selection }) =>
    await listEntries(sql, selection, { limit, offset }),
);

export const searchLibrary = onCommand(
  transcriptFetcher.searchLibrary,
  async (deps: Deps, request, { signal }) => await search(deps, request, signal),
);

export const recordReads = onCommand(transcriptFetcher.recordReads, async ({ sql }: Deps, { reads }) => {
  await saveReads(sql, reads);
  return {};
});
