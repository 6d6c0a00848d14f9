import { transcriptFetcher } from '@tds/contracts';
import { onBroadcast } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

/** As for one. */
export const operationsEnded = onBroadcast(
  transcriptFetcher.operationsEnded,
  async ({ waiters }: Deps, { operationIds }) => {
    for (const id of operationIds) waiters.wake(id);
  },
);
