import { transcriptFetcher } from '@tds/contracts';
import { onBroadcast } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

/** Another instance may have ended what a caller of this one waits for. */
export const operationEnded = onBroadcast(
  transcriptFetcher.operationEnded,
  async ({ waiters }: Deps, { operationId }) => waiters.wake(operationId),
);
