import type { Db } from './database.ts';
import type { Job } from './jobs.ts';

/** Serializes the creation of an account's jobs, so that together they pass no cap. */
export const lockAccount = (tx: Db, accountId: string) =>
  tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${accountId}, 0))::text`;

export const activeStatus = { in: ['creating', 'enumerating', 'pending', 'running', 'paused'] };

export type ActiveJob = Pick<Job, 'id' | 'status' | 'pauseReason' | 'lookAt'>;

/** Jobs that count towards the cap: all open ones but those that only wait for broadcasts. */
export const findActiveJobs = async (tx: Db, accountId: string): Promise<ActiveJob[]> =>
  (await tx.job.findMany({
    where: { accountId, status: activeStatus, NOT: { status: 'paused', pauseReason: null } },
    select: { id: true, status: true, pauseReason: true, lookAt: true },
    orderBy: { createdAt: 'asc' },
  })) as ActiveJob[];

/** Counts one more job of the account's day. Returns the count. */
export const countCreation = async (tx: Db, accountId: string, day: Date): Promise<number> => {
  const { jobs } = await tx.creationDay.upsert({
    where: { accountId_day: { accountId, day } },
    create: { accountId, day, jobs: 1 },
    update: { jobs: { increment: 1 } },
  });
  return jobs;
};

/** Takes a job that was never accepted out of the count. */
export const uncountCreation = (tx: Db, accountId: string, day: Date) =>
  tx.creationDay.updateMany({ where: { accountId, day }, data: { jobs: { decrement: 1 } } });

type WebhookVersion = { readonly accountId: string; readonly version: number };

/** The webhook status of a job before its first event. Requires the account lock. */
export const statusBeforeEvents = async (tx: Db, accountId: string): Promise<'none' | 'waiting'> => {
  const webhook = await tx.webhook.findUnique({ where: { accountId } });
  return webhook?.isThere ? 'waiting' : 'none';
};

/** Follows the dispatcher's events in any order: jobs without an event yet wait for one, or for none. */
export const followWebhook = async (tx: Db, { accountId, version }: WebhookVersion, isThere: boolean) => {
  await lockAccount(tx, accountId);
  const isNew = await tx.$executeRaw`
    INSERT INTO webhooks AS w (account_id, is_there, version) VALUES (${accountId}::uuid, ${isThere}, ${version}::bigint)
    ON CONFLICT (account_id) DO UPDATE SET is_there = excluded.is_there, version = excluded.version
    WHERE w.version < excluded.version`;
  if (isNew === 0) return;
  const [before, after] = isThere ? ['none', 'waiting'] : ['waiting', 'none'];
  const where = { accountId, webhookStatus: before, ...(isThere && { finishedAt: null }) };
  await tx.job.updateMany({ where, data: { webhookStatus: after } });
};
