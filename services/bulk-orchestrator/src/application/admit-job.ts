import { SECOND_MS, secondsToNextUtcDay, type Tier, tierLimits } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { endsByItself } from '../domain/job-state.ts';
import { type ActiveJob, countCreation, findActiveJobs, lockAccount } from '../store/admissions.ts';
import type { Db } from '../store/database.ts';
import type { NewJob } from './list-source.ts';

/** Seconds until the first of them continues, if known. */
const secondsToFirst = (jobs: readonly ActiveJob[], now: Date): number | null => {
  const times = jobs.flatMap(({ status, pauseReason, lookAt }) =>
    status === 'paused' && pauseReason !== null && endsByItself(pauseReason) && lookAt
      ? [lookAt.getTime()]
      : [],
  );
  if (times.length === 0) return null;
  return Math.max(Math.ceil((Math.min(...times) - now.getTime()) / SECOND_MS), 1);
};

/** Call in the transaction that makes one more job active. Throws `active_job_cap`. */
export const admitActiveJob = async (tx: Db, accountId: string, tier: Tier, now: Date) => {
  await lockAccount(tx, accountId);
  const active = await findActiveJobs(tx, accountId);
  const max = tierLimits[tier].activeJobs;
  if (active.length < max) return;
  const retryAfterSeconds = secondsToFirst(active, now);
  throw serviceError('active_job_cap', {
    message: `This tier runs ${max} ${max === 1 ? 'job' : 'jobs'} at a time. Wait for one to end, or cancel one.`,
    extras: { active_job_ids: active.map(({ id }) => id) },
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
  });
};

/** Call in the transaction that saves a new job. Throws `active_job_cap` and `job_creation_cap`, but not for a restored job. */
export const admitNewJob = async (
  tx: Db,
  { accountId, tier, isRestored = false }: Pick<NewJob, 'accountId' | 'tier' | 'isRestored'>,
  now: Date,
) => {
  if (!isRestored) await admitActiveJob(tx, accountId, tier, now);
  const created = await countCreation(tx, accountId, now);
  const max = tierLimits[tier].newJobsPerDay;
  if (isRestored || created <= max) return;
  throw serviceError('job_creation_cap', {
    message: `An account of this tier begins ${max} jobs a day. More at 00:00 UTC.`,
    retryAfterSeconds: secondsToNextUtcDay(now),
  });
};
