import { transcriptFetcher } from '@tds/contracts';
import { onBroadcast } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

/** Another instance may have ended what a caller of this one waits for. */
export const rowsEnded = onBroadcast(transcriptFetcher.rowsEnded, async ({ waiters }: Deps, { reads }) => {
  for (const id of reads) waiters.wake(id);
});
