import { packAnswer } from './answers.ts';
import type { Database, Db } from './database.ts';
import { numbersOfOne } from './job-numbers.ts';
import { toSummary } from './job-views.ts';
import { databaseNow, type Job } from './jobs.ts';

/** Deletes the rows of a job that has ended, and what its owner wrote. Its key is answered with the head that is left. */
export const eraseJob = async (tx: Db, job: Job): Promise<void> => {
  const { id, idempotencyKey } = job;
  const erased = { name: null, metadata: {}, sourceInput: null, webhookUrl: null };
  const head = toSummary({ ...job, ...erased }, await numbersOfOne(tx, id));
  await tx.jobRow.deleteMany({ where: { jobId: id } });
  const answer = idempotencyKey === null ? null : packAnswer({ ...head, videos: [] });
  await tx.job.update({
    where: { id },
    data: { ...erased, answer, erasedAt: await databaseNow(tx) },
    select: { id: true },
  });
};

/** Jobs that ended so many days ago and have not been erased. */
export const oldJobs = async (db: Database, days: number, limit: number): Promise<string[]> => {
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM jobs
    WHERE finished_at < now() - ${days} * interval '1 day' AND erased_at IS NULL
    ORDER BY finished_at LIMIT ${limit}::int`;
  return found.map(({ id }) => id);
};
