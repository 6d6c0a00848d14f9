import { randomUUID } from 'node:crypto';
import { type Cipher, FIRST_ID, onlyRow, RetryLater } from '@tds/base';
import { type DisabledReason, disabledReason } from '@tds/contracts';
import { HAS_ALL_EMITTED_EVENTS } from '@tds/messaging';
import { z } from 'zod';
import type { Database, Db } from './database.ts';
import type { Prisma } from './prisma/client.ts';

/** Days of failures, and days with failures among them: two failures of a quiet account say little about the days between. */
export const failingFor = { days: 5, failedDays: 3 } as const;

export type StoredWebhook = Prisma.WebhookGetPayload<object>;

export const findWebhook = (db: Db, accountId: string): Promise<StoredWebhook | null> =>
  db.webhook.findUnique({ where: { accountId } });

export type WebhookTarget = Pick<StoredWebhook, 'url' | 'secretId' | 'enabled'>;

/** Locks the webhook and the queue of its account in one round trip. An account with a webhook has a queue. */
export const lockWebhook = async (tx: Db, accountId: string): Promise<WebhookTarget | null> => {
  const [target] = await tx.$queryRaw<WebhookTarget[]>`
    SELECT w.url, w.secret_id AS "secretId", w.enabled FROM queues AS q JOIN webhooks AS w ON w.account_id = q.account_id
    WHERE q.account_id = ${accountId}::uuid FOR UPDATE OF q, w`;
  return target ?? null;
};

const KNOWN_AFTER_MS = 1_000;

/**
 * Whether an account has receivers. A restored database may not know yet all webhooks and receivers that it had: throws `RetryLater`
 * until that is over.
 */
export const requireKnownReceivers = async (tx: Db, accountId: string): Promise<boolean> => {
  const [row] = await tx.$queryRawUnsafe<{ knows: boolean; hasReceivers: boolean }[]>(
    `SELECT ${HAS_ALL_EMITTED_EVENTS} AS knows,
      EXISTS (SELECT FROM receivers WHERE account_id = $1::uuid AND deleted_at IS NULL) AS "hasReceivers"`,
    accountId,
  );
  if (row?.knows) return row.hasReceivers;
  const reason = 'this database may lack webhooks and receivers that it had before a restore';
  throw new RetryLater(KNOWN_AFTER_MS, reason, { isAttempt: false });
};

export const insertSecret = async (tx: Db, accountId: string, sealed: string, now: Date): Promise<string> => {
  const { id } = await tx.secret.create({ data: { id: randomUUID(), accountId, sealed, createdAt: now } });
  return id;
};

/** The columns after a successful attempt. */
export const notFailing = { failingSince: null, failedOn: null, failedDays: 0 };

type WebhookSettings = Pick<
  StoredWebhook,
  'accountId' | 'url' | 'secretId' | 'lowBalanceThreshold' | 'updatedByKeyId'
>;

/** Creates or replaces the webhook, enabled and without failures. */
export const saveWebhook = (
  tx: Db,
  { accountId, ...settings }: WebhookSettings,
  now: Date,
): Promise<StoredWebhook> => {
  const fresh = { enabled: true, disabledReason: null, disabledAt: null, updatedAt: now, ...notFailing };
  return tx.webhook.upsert({
    where: { accountId },
    create: { accountId, ...settings, ...fresh, createdAt: now },
    update: { ...settings, ...fresh },
  });
};

export const deleteWebhook = (tx: Db, accountId: string) => tx.webhook.deleteMany({ where: { accountId } });

export type DisabledWebhook = { readonly accountId: string; readonly url: string };

/** Null if the account has no webhook. */
export const disableWebhook = async (
  tx: Db,
  accountId: string,
  disabledReason: DisabledReason,
): Promise<DisabledWebhook | null> => {
  const [row] = await tx.$queryRaw<DisabledWebhook[]>`
    UPDATE webhooks SET enabled = false, disabled_reason = ${disabledReason}, disabled_at = now(), updated_at = now()
    WHERE account_id = ${accountId}::uuid RETURNING account_id AS "accountId", url`;
  return row ?? null;
};

/** Disables the webhooks of these accounts that have failed for five days, with failures on three of them. */
export const disableFailing = (
  tx: Db,
  accountIds: readonly string[],
): Promise<DisabledWebhook[]> => tx.$queryRaw`
  UPDATE webhooks SET enabled = false, disabled_reason = 'failing', disabled_at = now(), updated_at = now()
  WHERE account_id = ANY(${[...accountIds]}::uuid[]) AND enabled
    AND failing_since <= now() - ${failingFor.days}::int * interval '1 day' AND failed_days >= ${failingFor.failedDays}::int
  RETURNING account_id AS "accountId", url`;

const PAGE = 200;

export type StoredSecret = { readonly id: string; readonly accountId: string; readonly sealed: string };

export const findSecretsAfter = (db: Database, after: StoredSecret | null): Promise<StoredSecret[]> =>
  db.secret.findMany({
    where: { id: { gt: after?.id ?? FIRST_ID } },
    select: { id: true, accountId: true, sealed: true },
    orderBy: { id: 'asc' },
    take: PAGE,
  });

/** Encrypts a secret again with the current key. The secret itself stays the same. */
export const reencryptSecret = async (
  db: Database,
  cipher: Cipher,
  { id, accountId, sealed }: StoredSecret,
) => {
  if (cipher.isCurrent(sealed)) return;
  const encrypted = cipher.encrypt(cipher.decrypt(sealed, accountId), accountId);
  await db.secret.updateMany({ where: { id, sealed }, data: { sealed: encrypted } });
};

const time = z.iso.datetime().transform((text) => new Date(text));

/** A whole webhook, as the event `webhookChanged` carries it. */
export const webhookState = z.object({
  url: z.string(),
  lowBalanceThreshold: z.number().int().nullable(),
  enabled: z.boolean(),
  disabledReason: disabledReason.nullable(),
  disabledAt: time.nullable(),
  createdAt: time,
  updatedAt: time,
  updatedByKeyId: z.string().nullable(),
  secret: z.object({ id: z.uuid(), sealed: z.string(), createdAt: time }),
});
export type WebhookState = z.output<typeof webhookState>;

const secretFields = { select: { id: true, sealed: true, createdAt: true } } as const;

/** Null if the account has no webhook. */
export const readWebhookState = async (tx: Db, accountId: string): Promise<WebhookState | null> => {
  const row = await tx.webhook.findUnique({ where: { accountId }, include: { secret: secretFields } });
  return row && { ...row, disabledReason: row.disabledReason as WebhookState['disabledReason'] };
};

/** Replaces the webhook with this state, without failures. Requires the queue lock. */
export const writeWebhookState = async (tx: Db, accountId: string, { secret, ...state }: WebhookState) => {
  await tx.secret.createMany({ data: { ...secret, accountId }, skipDuplicates: true });
  const data = { ...state, secretId: secret.id, ...notFailing };
  await tx.webhook.upsert({ where: { accountId }, create: { accountId, ...data }, update: data });
};

/** The version of the last change; 0 before the first. Requires the queue lock. */
export const readWebhookVersion = async (tx: Db, accountId: string): Promise<number> => {
  const queue = await tx.queue.findUniqueOrThrow({ where: { accountId }, select: { webhookVersion: true } });
  return Number(queue.webhookVersion);
};

/** Database time in microseconds, and above every version that was reapplied after a restore. Requires the queue lock. */
export const nextWebhookVersion = async (tx: Db, accountId: string): Promise<number> => {
  const rows = await tx.$queryRaw<{ version: number }[]>`
    UPDATE queues SET webhook_version =
      greatest(webhook_version + 1, floor(extract(epoch FROM clock_timestamp()) * 1e6)::bigint)
    WHERE account_id = ${accountId}::uuid RETURNING webhook_version::float8 AS version`;
  return onlyRow(rows).version;
};

export const saveWebhookVersion = (tx: Db, accountId: string, version: number) =>
  tx.queue.update({ where: { accountId }, data: { webhookVersion: version } });
