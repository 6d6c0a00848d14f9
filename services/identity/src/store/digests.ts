import { nextVersion } from '@tds/base';
import {
  type EventNotice,
  eventNotice,
  type identity,
  type MailChoices,
  type RequestOf,
  type VersionedChoices,
} from '@tds/contracts';
import type { Account } from './accounts.ts';
import type { Db } from './database.ts';
import { Prisma } from './prisma/client.ts';

/** Events of one mail, which has about a hundred lines then. Some of each kind have room in any case; all others are counted. */
const [MAX_WAITING_ITEMS, ROOM_OF_A_KIND] = [30, 10];

export type MailedEvent = {
  /** The same however often the event is emitted. */
  readonly id: string;
  readonly accountId: string;
  readonly notice: EventNotice;
};

/**
 * Adds an event that is mailed at once, or to those that wait for the daily mail, or counts it if the mail has no room for it. Returns
 * false if it was added before, or counted.
 */
export const addItem = async (
  tx: Db,
  { id, accountId, notice }: MailedEvent,
  isAtOnce: boolean,
): Promise<boolean> =>
  (await tx.$executeRaw`
    WITH room AS (
      SELECT ${isAtOnce} OR count(*) < ${MAX_WAITING_ITEMS}
        OR count(*) FILTER (WHERE notice ->> 'kind' = ${notice.kind}) < ${ROOM_OF_A_KIND} AS "isLeft"
      FROM digest_items WHERE account_id = ${accountId}::uuid AND mail_id IS NULL AND mailed_at IS NULL
    ), counted AS (
      UPDATE accounts SET digest_more = digest_more + 1 FROM room
      WHERE id = ${accountId}::uuid AND NOT "isLeft" AND NOT EXISTS (SELECT FROM digest_items WHERE id = ${id}::uuid)
    )
    INSERT INTO digest_items (id, account_id, notice, mailed_at)
    SELECT ${id}::uuid, ${accountId}::uuid, ${JSON.stringify(notice)}::jsonb, CASE WHEN ${isAtOnce} THEN clock_timestamp() END
    FROM room WHERE "isLeft"
    ON CONFLICT DO NOTHING`) > 0;

/** Locks the account, and returns the milliseconds from `now` to its next daily mail, by the clock of its time zone. */
export const lockForDigest = async (tx: Db, accountId: string, now: Date): Promise<number> => {
  const [next] = await tx.$queryRaw<{ delayMs: number }[]>`
    SELECT (extract(epoch FROM next.at - ${now}::timestamptz) * 1000)::float8 AS "delayMs"
    FROM accounts AS a, generate_series(0, 2) AS day, LATERAL (SELECT
      (date_trunc('day', ${now}::timestamptz AT TIME ZONE a.time_zone) + make_interval(days => day, hours => a.digest_hour))
        AT TIME ZONE a.time_zone AS at) AS next
    WHERE a.id = ${accountId}::uuid AND next.at > ${now}::timestamptz ORDER BY next.at LIMIT 1 FOR NO KEY UPDATE OF a`;
  return next?.delayMs ?? 0;
};

/** The events of a daily mail, their first and last day, how many more there were, and its id: after a crash they are the same, because the mail server may have the mail. */
export const takeDigest = async (db: Db, accountId: string, mailId: string) => {
  const where = { accountId, mailedAt: null, mailId: { not: null } };
  if ((await db.digestItem.count({ where })) === 0)
    await db.$executeRaw`
      WITH taken AS (
        UPDATE digest_items SET mail_id = ${mailId}::uuid
        WHERE account_id = ${accountId}::uuid AND mailed_at IS NULL RETURNING id
      )
      UPDATE accounts SET digest_more_taken = digest_more, digest_more = 0
      WHERE id = ${accountId}::uuid AND EXISTS (SELECT FROM taken)`;
  const items = await db.digestItem.findMany({ where, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  const [facts] = await db.$queryRaw<{ more: number; days: string }[]>`
    SELECT digest_more_taken AS more, concat_ws(' to ', days.first, nullif(days.last, days.first)) AS days
    FROM accounts AS a, LATERAL (
      SELECT to_char(min(created_at) AT TIME ZONE a.time_zone, 'FMDD FMMonth') AS first,
        to_char(max(created_at) AT TIME ZONE a.time_zone, 'FMDD FMMonth') AS last
      FROM digest_items WHERE account_id = a.id AND mail_id IS NOT NULL AND mailed_at IS NULL) AS days
    WHERE a.id = ${accountId}::uuid`;
  const notices = items.map(({ notice }) => eventNotice.parse(notice));
  return { id: items[0]?.mailId ?? mailId, notices, more: facts?.more ?? 0, days: facts?.days ?? '' };
};

/** Whether events wait for a daily mail, or are in one that is being sent. */
export const hasUnmailed = async (tx: Db, accountId: string): Promise<boolean> =>
  (await tx.digestItem.count({ where: { accountId, mailedAt: null } })) > 0;

/** Ends a daily mail; returns whether events wait for the next one. */
export const endDigest = async (tx: Db, accountId: string): Promise<boolean> => {
  await tx.$executeRaw`
    UPDATE digest_items SET mailed_at = clock_timestamp()
    WHERE account_id = ${accountId}::uuid AND mail_id IS NOT NULL AND mailed_at IS NULL`;
  await tx.account.updateMany({ where: { id: accountId }, data: { digestMoreTaken: 0 } });
  return hasUnmailed(tx, accountId);
};

export const toMailChoices = ({
  timeZone,
  digestHour,
  eventMails,
}: Pick<Account, 'timeZone' | 'digestHour' | 'eventMails'>): MailChoices => ({
  time_zone: timeZone,
  digest_hour: digestHour,
  event_mails: eventMails,
});

export type ChangedChoices = RequestOf<typeof identity.changeMailChoices>;

/** Saves the choices that the request has, and returns all with their version; null if there is no such account. */
export const saveMailChoices = async (
  tx: Db,
  { accountId, choices }: ChangedChoices,
): Promise<VersionedChoices | null> => {
  const { time_zone: zone = null, digest_hour: hour = null, event_mails: isOn = null } = choices;
  const [saved] = await tx.$queryRaw<VersionedChoices[]>`
    UPDATE accounts SET time_zone = coalesce(${zone}, time_zone), digest_hour = coalesce(${hour}::smallint, digest_hour),
      event_mails = coalesce(${isOn}::boolean, event_mails), mail_version = ${Prisma.raw(nextVersion('mail_version'))}
    WHERE id = ${accountId}::uuid
    RETURNING id AS "accountId", time_zone, digest_hour, event_mails, mail_version::float8 AS version`;
  return saved ?? null;
};

/** Whether the database, which computes the times, knows a time zone. */
export const isTimeZone = async (db: Db, name: string): Promise<boolean> =>
  (await db.$queryRaw<object[]>`SELECT FROM pg_timezone_names WHERE name = ${name}`).length > 0;
