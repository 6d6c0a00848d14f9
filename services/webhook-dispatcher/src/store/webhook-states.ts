import { disabledReason } from '@tds/contracts';
import { z } from 'zod';
import type { Db } from './database.ts';
import { notFailing } from './webhooks.ts';

const time = z.iso.datetime().transform((text) => new Date(text));

/** All that a webhook is, as `webhookChanged` carries it. */
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

/** The webhook becomes what it was at that time; nothing has failed since. The queue is held. */
export const writeWebhookState = async (
  tx: Db,
  accountId: string,
  { secret, ...state }: WebhookState,
): Promise<void> => {
  await tx.secret.createMany({ data: { ...secret, accountId }, skipDuplicates: true });
  const data = { ...state, secretId: secret.id, ...notFailing };
  await tx.webhook.upsert({ where: { accountId }, create: { accountId, ...data }, update: data });
};

/** Of the last change; 0 before the first one. The queue is held. */
export const webhookVersionOf = async (tx: Db, accountId: string): Promise<number> => {
  const queue = await tx.queue.findUniqueOrThrow({ where: { accountId }, select: { webhookVersion: true } });
  return Number(queue.webhookVersion);
};

/** Grows from change to change: the database's microseconds, and more than any version that was taken over. The queue is held. */
export const nextWebhookVersion = async (tx: Db, accountId: string): Promise<number> => {
  const [row] = await tx.$queryRaw<{ version: number }[]>`
    UPDATE queues SET webhook_version =
      greatest(webhook_version + 1, floor(extract(epoch FROM clock_timestamp()) * 1e6)::bigint)
    WHERE account_id = ${accountId}::uuid RETURNING webhook_version::float8 AS version`;
  if (row === undefined) throw new Error('the queue of the account is not held');
  return row.version;
};

export const saveWebhookVersion = async (tx: Db, accountId: string, version: number): Promise<void> => {
  await tx.queue.update({ where: { accountId }, data: { webhookVersion: version } });
};
