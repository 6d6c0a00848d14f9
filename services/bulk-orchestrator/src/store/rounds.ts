import { newId } from '@tds/contracts';
import type { Database, Tx } from './database.ts';

/** One reservation of a job. */
export type Round = {
  readonly jobId: string;
  readonly round: number;
  readonly ref: string;
  readonly parts: number;
  readonly state: string;
};

/** The reason under which the ledger knows the reservations of jobs. */
export const JOB_REASON = 'job';

/**
 * Gives each cold row that has none a part of a new reservation, which is still to be held; null where every row has one. To
 * be called with the job locked. Its ref is saved with it, so it is the same one however often it is asked for. Materialized, because
 * the planner of a new database would number all rows again for each of them.
 */
export const planRound = async (tx: Tx, jobId: string, now: Date): Promise<Round | null> => {
  const { _max } = await tx.jobRound.aggregate({ where: { jobId }, _max: { round: true } });
  const round = (_max.round ?? 0) + 1;
  const parts = await tx.$executeRaw`
    WITH wanting AS MATERIALIZED (
      SELECT position AS at, row_number() OVER (ORDER BY position) AS nth FROM job_rows
      WHERE job_id = ${jobId}::uuid AND status = 'pending' AND is_cold AND part IS NULL
    )
    UPDATE job_rows SET round = ${round}::int, part = nth FROM wanting
    WHERE job_id = ${jobId}::uuid AND position = at`;
  if (parts === 0) return null;
  const planned = { jobId, round, ref: newId(now), parts, state: 'wanted' };
  await tx.jobRound.create({ data: planned });
  return planned;
};

export const findRounds = (db: Database | Tx, jobId: string, state?: 'wanted' | 'held'): Promise<Round[]> =>
  db.jobRound.findMany({
    where: { jobId, state: state ?? { in: ['wanted', 'held'] } },
    orderBy: { round: 'asc' },
  });

/** Under which refs these rounds of a job are held or were. */
export const refsOf = async (
  db: Database,
  jobId: string,
  rounds: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  const found = await db.jobRound.findMany({ where: { jobId, round: { in: [...rounds] } } });
  return new Map(found.map(({ round, ref }) => [round, ref]));
};

export const saveHeld = async (db: Database | Tx, { jobId, round }: Round): Promise<void> => {
  await db.jobRound.updateMany({ where: { jobId, round, state: 'wanted' }, data: { state: 'held' } });
};

/** Nothing of these reservations is held any more. */
export const closeRounds = async (
  db: Database | Tx,
  jobId: string,
  rounds: readonly number[],
): Promise<void> => {
  await db.jobRound.updateMany({
    where: { jobId, round: { in: [...rounds] } },
    data: { state: 'closed' },
  });
};

type RoundOfJob = Pick<Round, 'jobId' | 'round'>;
const toDo = ({ jobId, round }: RoundOfJob) => ({
  ...{ jobId, round },
  status: { in: ['pending', 'processing'] },
});

/** The parts of rows that this reservation is to pay. */
export const partsToDo = async (db: Database, of: RoundOfJob): Promise<number[]> => {
  const rows = await db.jobRow.findMany({ where: toDo(of), select: { part: true } });
  return rows.flatMap(({ part }) => part ?? []);
};

/**
 * A reservation that is gone: rows that were to be paid by it need a part of another one. Those whose parts it has charged (in a
 * time that this database has lost) are paid for ever, and keep them.
 */
export const abandonRound = async (tx: Tx, of: RoundOfJob, charged: readonly number[]): Promise<void> => {
  await closeRounds(tx, of.jobId, [of.round]);
  await tx.jobRow.updateMany({
    where: { ...toDo(of), part: { notIn: [...charged] } },
    data: { round: null, part: null },
  });
};

/** Those among the refs of reservations that a job may still use. */
export const knownRefs = async (db: Database, refs: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db.jobRound.findMany({
    where: { ref: { in: [...refs] }, state: { not: 'closed' } },
    select: { ref: true },
  });
  return new Set(rows.map(({ ref }) => ref));
};
