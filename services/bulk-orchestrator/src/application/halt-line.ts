import { transcriptFetcher } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { findJob } from '../store/jobs.ts';
import type { CallContext } from './call-context.ts';
import { takeNews } from './take-news.ts';

/** Ends what the fetcher has not begun of a job that is cancelled or paused, and saves what came of it. */
export const haltLine = async (deps: Deps, jobId: string, context: CallContext): Promise<void> => {
  const job = await findJob(deps.db, jobId);
  if (job === null) return;
  const isCancelled = job.status === 'cancelled';
  if (!isCancelled && job.pauseReason === null) return;
  const as = isCancelled ? 'stopped' : 'held';
  await deps.call(transcriptFetcher.haltLine, { lineId: jobId, accountId: job.accountId, as }, context);
  await takeNews(deps, jobId, context);
};
