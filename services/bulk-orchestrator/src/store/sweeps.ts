import type { JobStatus } from '@tds/contracts';
import type { Database } from './database.ts';

type Id = { readonly id: string };
const idsOf = (rows: readonly Id[]): string[] => rows.map(({ id }) => id);

/** Jobs in one of these states that nobody has touched since. */
export const untouchedJobs = async (
  db: Database,
  statuses: readonly JobStatus[],
  before: Date,
  limit: number,
): Promise<string[]> =>
  idsOf(
    await db.job.findMany({
      where: { status: { in: [...statuses] }, touchedAt: { lt: before } },
      select: { id: true },
      orderBy: { touchedAt: 'asc' },
      take: limit,
    }),
  );

/** Paused jobs whose time has come. */
export const jobsToResume = async (db: Database, now: Date, limit: number): Promise<string[]> =>
  idsOf(
    await db.job.findMany({
      where: { status: 'paused', resumeAt: { lte: now } },
      select: { id: true },
      orderBy: { resumeAt: 'asc' },
      take: limit,
    }),
  );

export const jobsWithoutCredits = async (db: Database, accountId: string): Promise<string[]> =>
  idsOf(
    await db.job.findMany({
      where: { accountId, status: 'paused', pauseReason: 'insufficient_credits' },
      select: { id: true },
    }),
  );

/** Cancelled jobs that may still hold something. */
export const jobsToClose = async (db: Database, before: Date, limit: number): Promise<string[]> =>
  idsOf(
    await db.job.findMany({
      where: { status: 'cancelled', closedAt: null, touchedAt: { lt: before } },
      select: { id: true },
      take: limit,
    }),
  );
