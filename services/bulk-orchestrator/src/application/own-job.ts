import { serviceError } from '@tds/contracts';
import type { Db } from '../store/database.ts';
import { findOwnJob, type Job } from '../store/jobs.ts';

/** Throws `job_not_found` for the jobs of others as for those that nobody has. */
export const ownJob = async (
  db: Db,
  { accountId, jobId }: { readonly accountId: string; readonly jobId: string },
): Promise<Job> => {
  const job = await findOwnJob(db, accountId, jobId);
  if (job === null) throw serviceError('job_not_found');
  return job;
};
