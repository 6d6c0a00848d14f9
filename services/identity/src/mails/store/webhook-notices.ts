import type { WebhookChange } from '@tds/contracts';
import type { Db } from '../../store/database.ts';

type WebhookNotice = {
  readonly host: string;
  readonly changes: readonly WebhookChange[];
  readonly mailId: string;
  readonly mailedAt: Date | null;
};

type Change = Pick<WebhookNotice, 'host' | 'changes' | 'mailId'> & { readonly accountId: string };

/** Adds a change to the unmailed ones; the newest sets host and mail id. Resolves to the time of the last mail. */
export const noteWebhookChange = async (
  db: Db,
  { accountId, host, changes, mailId }: Change,
): Promise<Date | null> => {
  const [row] = await db.$queryRaw<{ mailedAt: Date | null }[]>`
    INSERT INTO webhook_notices AS n (account_id, host, changes, mail_id, is_due)
    VALUES (${accountId}::uuid, ${host}, ${changes}::text[], ${mailId}::uuid, true)
    ON CONFLICT (account_id) DO UPDATE SET host = excluded.host, mail_id = excluded.mail_id, is_due = true,
      changes = ARRAY(SELECT DISTINCT unnest(n.changes || excluded.changes))
    RETURNING mailed_at AS "mailedAt"`;
  return row?.mailedAt ?? null;
};

export const findDueNotice = async (db: Db, accountId: string): Promise<WebhookNotice | null> =>
  (await db.webhookNotice.findFirst({ where: { accountId, isDue: true } })) as WebhookNotice | null;

/** Returns whether a newer change waits for its own mail. */
export const markNoticeMailed = async (
  db: Db,
  { accountId, mailId }: Pick<Change, 'accountId' | 'mailId'>,
  now: Date,
): Promise<boolean> => {
  const [row] = await db.$queryRaw<{ isDue: boolean }[]>`
    UPDATE webhook_notices SET mailed_at = ${now}::timestamptz, is_due = mail_id <> ${mailId}::uuid,
      changes = CASE WHEN mail_id = ${mailId}::uuid THEN '{}' ELSE changes END
    WHERE account_id = ${accountId}::uuid RETURNING is_due AS "isDue"`;
  return row?.isDue === true;
};
