import { bulkOrchestrator } from '@tds/contracts';
import { hasEnded } from '../domain/job-state.ts';
import { isByOwner, type Pause } from '../domain/pauses.ts';
import type { Job } from '../store/jobs.ts';
import type { Change, Saved } from '../store/save-job.ts';
import { type Locked, save, type Told } from './change-job.ts';

/**
 * Tells the fetcher to begin nothing more of this job, however often that takes. A task of its own each time: one that is running may
 * have been heard before what this one is for.
 */
export const haltLater = async (send: Locked['send'], jobId: string): Promise<void> => {
  await send.enqueue(bulkOrchestrator.haltJob, { jobId });
};

/** What a pause changes: what the owner alone can end stays until then. */
export const asPaused = ({ pauseReason }: Pick<Job, 'pauseReason'>, { reason, lookAt }: Pause): Change =>
  isByOwner(pauseReason) && pauseReason !== reason ? {} : { pauseReason: reason, lookAt };

export const asResumed = { pauseReason: null, lookAt: null } satisfies Change;

/** Nothing more of the job is begun until somebody lets it go on, or its time has come. */
export const pauseJob = async (locked: Locked, pause: Pause): Promise<Saved | null> => {
  if (hasEnded(locked.job.status)) return null;
  await haltLater(locked.send, locked.job.id);
  return save(locked, asPaused(locked.job, pause));
};

/** What is left is due: the sweep opens it, or its source is listed, by one task at a time. */
export const resumeJob = async (
  locked: Locked,
  change: Change = {},
  event: Told | null = null,
): Promise<Saved> => {
  const { send, job } = locked;
  const jobId = job.id;
  if (!job.isListed) await send.enqueue(bulkOrchestrator.enumerateJob, { jobId }, { key: jobId });
  return save(locked, { ...asResumed, ...change }, event);
};
