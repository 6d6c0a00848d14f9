import { transcriptFetcher } from '@tds/contracts';
import { onBroadcast } from '@tds/service-kit';
import type { Deps } from './deps.ts';
import { LANES } from './domain/operation.ts';

/** Another instance may have ended what a caller of this one waits for. */
export const rowsEnded = onBroadcast(transcriptFetcher.rowsEnded, async ({ waiters }: Deps, { reads }) => {
  for (const id of reads) waiters.wake(id);
});

/** This instance may have a place for what another one has none for. */
export const rowsReady = onBroadcast(transcriptFetcher.rowsReady, async ({ worker }: Deps, { lane }) =>
  worker.wake(lane === LANES.reads ? LANES.reads : LANES.jobs),
);
