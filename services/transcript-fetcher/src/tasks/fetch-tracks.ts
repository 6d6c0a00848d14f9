import { transcriptFetcher } from '@tds/contracts';
import { isDatabaseAway, onTask, RetryLater } from '@tds/service-kit';
import { fetchForBatch } from '../application/fetch-for-batch.ts';
import type { Deps } from '../deps.ts';
import { findWaitingFetches } from '../store/fetches.ts';

const AGAIN_MS = 1_000;

/**
 * Fetches tracks for which only batches wait. What somebody else waits for by now has a task of its own. A repeat, also after
 * a crash, goes on with what is still open.
 */
export const fetchTracks = onTask(transcriptFetcher.fetchTracks, async (deps: Deps, payload, task) => {
  const waiting = await findWaitingFetches(
    deps.db,
    payload.fetches.map(({ fetchId }) => fetchId),
  );
  const work = waiting.map((fetch) => fetchForBatch(deps, payload, fetch, task));
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected');
  if (failed?.status !== 'rejected') return;
  // That is nobody's failure, however long it lasts.
  if (isDatabaseAway(failed.reason))
    throw new RetryLater(AGAIN_MS, String(failed.reason), { isAttempt: false });
  throw failed.reason;
});
