import type { JobStatus } from '@tds/contracts';
import type { Database } from './database.ts';

type Id = { readonly id: string };

const PAGE = 200;
/** Before every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const page = { select: { id: true }, orderBy: { id: 'asc' }, take: PAGE } as const;

/** Jobs in one of these states that nobody has touched since, with ids beyond `after`. */
export const untouchedJobs = (
  db: Database,
  statuses: readonly JobStatus[],
  before: Date,
  after = FIRST_ID,
): Promise<Id[]> =>
  db.job.findMany({
    where: { status: { in: [...statuses] }, touchedAt: { lt: before }, id: { gt: after } },
    ...page,
  });

/** Paused jobs whose time has come, with ids beyond `after`. */
export const jobsToResume = (db: Database, now: Date, after = FIRST_ID): Promise<Id[]> =>
  db.job.findMany({ where: { status: 'paused', resumeAt: { lte: now }, id: { gt: after } }, ...page });

export const jobsWithoutCredits = async (db: Database, accountId: string): Promise<string[]> => {
  const rows = await db.job.findMany({
    where: { accountId, status: 'paused', pauseReason: 'insufficient_credits' },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
};

/** Cancelled jobs that may still hold something, with ids beyond `after`. */
export const jobsToClose = (db: Database, before: Date, after = FIRST_ID): Promise<Id[]> =>
  db.job.findMany({
    where: { status: 'cancelled', closedAt: null, touchedAt: { lt: before }, id: { gt: after } },
    ...page,
  });
