import { transcriptFetcher } from '@tds/contracts';
import { onBroadcast } from '@tds/kit';
import type { Deps } from './deps.ts';
import { LANES } from './domain/operation.ts';

/** Wakes callers of this instance whose reads another instance ended. */
export const rowsEnded = onBroadcast(transcriptFetcher.rowsEnded, async ({ waiters }: Deps, { reads }) => {
  for (const id of reads) waiters.wake(id);
});

/** Wakes the worker, which may have a slot for rows that wait elsewhere. */
export const rowsReady = onBroadcast(transcriptFetcher.rowsReady, async ({ worker }: Deps, { lane }) =>
  worker.wake(lane === LANES.reads ? LANES.reads : LANES.jobs),
);
