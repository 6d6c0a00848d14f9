import { CREDITS_PER_TRANSCRIPT } from '@tds/contracts';
import type { Database, Tx } from './database.ts';
import { lockJob } from './jobs.ts';

/** A round, with how many of its rows say that they were charged. */
export type KnownRound = {
  readonly ref: string;
  readonly jobId: string;
  readonly round: number;
  readonly parts: number;
  readonly fetched: number;
};

/** Those among the refs that are rounds of jobs. */
export const knownRounds = async (
  db: Database,
  refs: readonly string[],
): Promise<ReadonlyMap<string, KnownRound>> => {
  const found = await db.$queryRaw<KnownRound[]>`
    SELECT ref, job_id AS "jobId", round, parts, (
      SELECT count(*)::int FROM job_rows AS r
      WHERE r.job_id = o.job_id AND r.round = o.round AND r.status = 'fetched'
    ) AS fetched
    FROM job_rounds AS o WHERE ref = ANY (${[...refs]}::text[])`;
  return new Map(found.map((round) => [round.ref, round]));
};

/** Rows that were found in the cache because they had been paid for before: says so. Resolves to how many there were. */
export const attachCharged = async (
  tx: Tx,
  { jobId, round }: KnownRound,
  charged: readonly number[],
): Promise<number> => {
  await lockJob(tx, jobId);
  const { count } = await tx.jobRow.updateMany({
    where: { jobId, round, status: 'cached', part: { in: [...charged] } },
    data: { status: 'fetched', creditsCharged: CREDITS_PER_TRANSCRIPT },
  });
  if (count > 0) await tx.job.update({ where: { id: jobId }, data: { version: { increment: 1 } } });
  return count;
};
