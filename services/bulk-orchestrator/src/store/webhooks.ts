import { lockAccount } from './admissions.ts';
import type { Db } from './database.ts';

type Told = { readonly accountId: string; readonly version: number };

/** What the jobs of an account that has a webhook, or has none, say before they have an event. The account is locked. */
export const statusBeforeEvents = async (tx: Db, accountId: string): Promise<'none' | 'waiting'> => {
  const webhook = await tx.webhook.findUnique({ where: { accountId } });
  return webhook?.isThere ? 'waiting' : 'none';
};

/** Follows the dispatcher's news, in whatever order they come: jobs that have had no event yet wait for one, or for none. */
export const followWebhook = async (
  tx: Db,
  { accountId, version }: Told,
  isThere: boolean,
): Promise<void> => {
  await lockAccount(tx, accountId);
  const isNews = await tx.$executeRaw`
    INSERT INTO webhooks AS w (account_id, is_there, version) VALUES (${accountId}::uuid, ${isThere}, ${version}::bigint)
    ON CONFLICT (account_id) DO UPDATE SET is_there = excluded.is_there, version = excluded.version
    WHERE w.version < excluded.version`;
  if (isNews === 0) return;
  const [before, after] = isThere ? ['none', 'waiting'] : ['waiting', 'none'];
  const where = { accountId, webhookStatus: before, ...(isThere && { finishedAt: null }) };
  await tx.job.updateMany({ where, data: { webhookStatus: after } });
};
