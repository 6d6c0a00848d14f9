import { randomUUID } from 'node:crypto';
import type { DisabledReason } from '@tds/contracts';
import type { Db } from './database.ts';
import { Prisma } from './prisma/client.ts';

const FAILING_DAYS = 5;
/** Of these days: two failures of a quiet account say little about the days between them. */
const FAILED_DAYS = 3;

const today = Prisma.sql`(now() AT TIME ZONE 'UTC')::date`;

export type StoredWebhook = Prisma.WebhookGetPayload<object>;

export const findWebhook = (db: Db, accountId: string): Promise<StoredWebhook | null> =>
  db.webhook.findUnique({ where: { accountId } });

/** Null where nothing is sent: there is none, or it is disabled. */
export const findEnabledWebhook = (db: Db, accountId: string): Promise<StoredWebhook | null> =>
  db.webhook.findUnique({ where: { accountId, enabled: true } });

export type Target = Pick<StoredWebhook, 'url' | 'secretId' | 'enabled'>;

/** The same in one round trip with the account's queue, which is held from then on: whoever has a webhook has one. */
export const lockWebhook = async (tx: Db, accountId: string): Promise<Target | null> => {
  const [target] = await tx.$queryRaw<Target[]>`
    SELECT w.url, w.secret_id AS "secretId", w.enabled FROM queues AS q JOIN webhooks AS w ON w.account_id = q.account_id
    WHERE q.account_id = ${accountId}::uuid FOR UPDATE OF q, w`;
  return target ?? null;
};

export const insertSecret = async (tx: Db, accountId: string, sealed: string, now: Date): Promise<string> => {
  const { id } = await tx.secret.create({ data: { id: randomUUID(), accountId, sealed, createdAt: now } });
  return id;
};

/** As after an attempt that was taken. */
export const notFailing = { failingSince: null, failedOn: null, failedDays: 0 };

type Wanted = Pick<
  StoredWebhook,
  'accountId' | 'url' | 'secretId' | 'lowBalanceThreshold' | 'updatedByKeyId'
>;

/** Creates or replaces it; it is enabled, and nothing of it has failed. */
export const saveWebhook = (tx: Db, { accountId, ...wanted }: Wanted, now: Date): Promise<StoredWebhook> => {
  const fresh = { enabled: true, disabledReason: null, disabledAt: null, updatedAt: now, ...notFailing };
  return tx.webhook.upsert({
    where: { accountId },
    create: { accountId, ...wanted, ...fresh, createdAt: now },
    update: { ...wanted, ...fresh },
  });
};

export const removeWebhook = async (tx: Db, accountId: string): Promise<void> => {
  await tx.webhook.deleteMany({ where: { accountId } });
};

type Disabled = { readonly accountId: string; readonly url: string };

/** Null if the account has none. */
export const disableWebhook = async (
  tx: Db,
  accountId: string,
  disabledReason: DisabledReason,
): Promise<Disabled | null> => {
  const [disabled] = await tx.$queryRaw<Disabled[]>`
    UPDATE webhooks SET enabled = false, disabled_reason = ${disabledReason}, disabled_at = now(), updated_at = now()
    WHERE account_id = ${accountId}::uuid RETURNING account_id AS "accountId", url`;
  return disabled ?? null;
};

/** Notes since when, and on how many days, every attempt at a webhook has failed, or that one has not. */
export const noteFailing = async (
  tx: Db,
  endpoints: readonly { readonly id: string; readonly isFailing: boolean | null }[],
): Promise<void> => {
  await tx.$executeRaw`
    UPDATE webhooks AS w SET failing_since = CASE WHEN g."isFailing" THEN coalesce(w.failing_since, now()) END,
      failed_on = CASE WHEN g."isFailing" THEN ${today} END,
      failed_days = CASE WHEN g."isFailing" THEN w.failed_days + (w.failed_on IS DISTINCT FROM ${today})::int ELSE 0 END
    FROM jsonb_to_recordset(${JSON.stringify(endpoints)}::jsonb) AS g (id uuid, "isFailing" boolean)
    JOIN endpoints AS e ON e.id = g.id
    WHERE w.account_id = e.account_id AND w.url = e.url
      AND w.failed_on IS DISTINCT FROM CASE WHEN g."isFailing" THEN ${today} END`;
};

/** Disables those of these accounts that have failed for five days, on several of them. */
export const disableFailing = (tx: Db, accountIds: readonly string[]): Promise<Disabled[]> => tx.$queryRaw`
  UPDATE webhooks SET enabled = false, disabled_reason = 'failing', disabled_at = now(), updated_at = now()
  WHERE account_id = ANY(${[...accountIds]}::uuid[]) AND enabled
    AND failing_since <= now() - ${FAILING_DAYS}::int * interval '1 day' AND failed_days >= ${FAILED_DAYS}::int
  RETURNING account_id AS "accountId", url`;
