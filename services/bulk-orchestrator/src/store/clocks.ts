import { FIRST_ID } from '@tds/base';
import { defineQueue } from '@tds/queue';
import { activeStatus } from './admissions.ts';
import type { Database, Db } from './database.ts';

/** Batches compared at a time. */
const PAGE = 500;

type Id = { readonly id: string };
type KnownBatch = Id & { readonly batchVersion: number };
/** With the number of its rows at the fetcher. */
export type ComparedJob = KnownBatch & { readonly atFetcher: number };

/** The fetcher's time to answer; then the sweep repeats the request. */
export const OPENING_LEASE_MS = 30_000;

/** Every saved change of a job says when it is due next, and ends the claim of the step before. */
export const jobQueue = defineQueue<object, object>({
  table: 'jobs',
  reads: [],
  leaseMs: OPENING_LEASE_MS,
  where: 'due_at IS NOT NULL',
});

/** Makes the account's oldest job that waits for credits due. */
export const wakeForCredits = (db: Db, accountId: string) =>
  db.$executeRaw`
    UPDATE jobs SET look_at = clock_timestamp(), due_at = clock_timestamp(), lease_until = NULL
    WHERE id = (
      SELECT id FROM jobs
      WHERE account_id = ${accountId}::uuid AND pause_reason = 'insufficient_credits' AND opening_id IS NULL
        AND status IN ('pending', 'running', 'paused')
      ORDER BY created_at, id LIMIT 1
    )`;

/** When the first job has had rows at the fetcher without changes for `forMs`. */
export const firstUnheard = (forMs: number): string =>
  `SELECT heard_at + interval '${forMs} ms' FROM jobs WHERE heard_at IS NOT NULL ORDER BY heard_at LIMIT 1`;

/** Jobs with rows at the fetcher and no changes for `forMs`, with ids beyond `after`. Found by time: by id, all jobs would be read. */
export const findUnheardJobs = async (
  db: Database,
  forMs: number,
  after = FIRST_ID,
): Promise<ComparedJob[]> => {
  const rows = await db.$queryRaw<(Id & { batchVersion: bigint; atFetcher: number })[]>`
    WITH unheard AS MATERIALIZED (
      SELECT id, batch_version, opening_id FROM jobs WHERE heard_at <= now() - ${forMs} * interval '1 ms'
    )
    SELECT id, batch_version AS "batchVersion", (
      SELECT count(*)::int FROM job_rows WHERE job_id = unheard.id AND operation_id IS NOT NULL
    ) AS "atFetcher"
    FROM unheard WHERE opening_id IS NULL AND id > ${after}::uuid
    ORDER BY id LIMIT ${PAGE}::int`;
  return rows.map((job) => ({ ...job, batchVersion: Number(job.batchVersion) }));
};

/** Records that job and batch agree. */
export const noteHeard = (db: Database, ids: readonly string[]) =>
  db.$executeRaw`
    UPDATE jobs SET heard_at = clock_timestamp() WHERE id = ANY (${[...ids]}::uuid[]) AND heard_at IS NOT NULL`;

/** The ids that are jobs, each with the version of its saved changes. */
export const knownBatches = async (db: Database, ids: readonly string[]): Promise<KnownBatch[]> => {
  const rows = await db.job.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, batchVersion: true },
  });
  return rows.map(({ id, batchVersion }) => ({ id, batchVersion: Number(batchVersion) }));
};

export const findActiveJobIds = async (
  db: Db,
  owner: { readonly accountId: string; readonly keyId?: string },
): Promise<string[]> => {
  const where = { ...owner, status: activeStatus };
  return (await db.job.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } })).map(({ id }) => id);
};

/** Takes the lease for reading changes of a job after a hint. Returns its end; null if another process holds it. */
export const beginReading = async (db: Database, id: string, forMs: number): Promise<Date | null> => {
  const [reading] = await db.$queryRaw<{ until: Date }[]>`
    UPDATE jobs SET read_until = clock_timestamp() + ${forMs} * interval '1 ms'
    WHERE id = ${id}::uuid AND (read_until IS NULL OR read_until < clock_timestamp())
    RETURNING read_until AS until`;
  return reading?.until ?? null;
};

export const endReading = (db: Database, id: string, until: Date) =>
  db.job.updateMany({ where: { id, readUntil: until }, data: { readUntil: null } });
