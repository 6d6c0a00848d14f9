import type { Database, Db } from './database.ts';
import { databaseNow } from './jobs.ts';

/** Deletes the rows of a job that has ended, and what its owner wrote. Whoever repeats the request that began it is still answered. */
export const eraseJob = async (tx: Db, id: string): Promise<void> => {
  await tx.jobRow.deleteMany({ where: { jobId: id } });
  const erased = { name: null, metadata: {}, sourceInput: null, webhookUrl: null };
  await tx.job.update({
    where: { id },
    data: { ...erased, erasedAt: await databaseNow(tx) },
    select: { id: true },
  });
};

/** Jobs that ended so many days ago and have not been erased. */
export const oldJobs = (
  db: Database,
  days: number,
  limit: number,
): Promise<{ id: string; accountId: string }[]> => db.$queryRaw`
  SELECT id, account_id AS "accountId" FROM jobs
  WHERE finished_at < now() - ${days} * interval '1 day' AND erased_at IS NULL
  ORDER BY finished_at LIMIT ${limit}::int`;
