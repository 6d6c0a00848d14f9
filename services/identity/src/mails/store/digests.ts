import { nextVersion } from '@tds/base';
import {
  type EventNotice,
  eventNotice,
  type identity,
  type MailChoices,
  type RequestOf,
  type VersionedChoices,
} from '@tds/contracts';
import type { Account } from '../../store/accounts.ts';
import type { Db } from '../../store/database.ts';
import { Prisma } from '../../store/prisma/client.ts';

/** Events of a mail, by its period. */
export type Period = 'daily' | 'weekly';
export const PERIODS: readonly Period[] = ['daily', 'weekly'];
/** Where events without room are counted: of the next mail, and of the one that is being sent. */
const MORE = {
  daily: { next: Prisma.raw('digest_more'), taken: Prisma.raw('digest_more_taken') },
  weekly: { next: Prisma.raw('weekly_more'), taken: Prisma.raw('weekly_more_taken') },
};

/** Events of one mail, which has about a hundred lines then. Some of each kind have room in any case; all others are counted. */
const [MAX_WAITING_ITEMS, ROOM_OF_A_KIND] = [30, 10];

export type MailedEvent = {
  /** The same however often the event is emitted. */
  readonly id: string;
  readonly accountId: string;
  readonly notice: EventNotice;
};

/**
 * Adds an event that is mailed at once, or to those that wait for a digest, or counts it if the mail has no room for it. Returns
 * false if it was added before, or counted.
 */
export const addItem = async (
  tx: Db,
  { id, accountId, notice }: MailedEvent,
  period: Period | null,
): Promise<boolean> => {
  const more = MORE[period ?? 'daily'].next;
  const added = await tx.$executeRaw`
    WITH room AS (
      SELECT ${period === null} OR count(*) < ${MAX_WAITING_ITEMS}
        OR count(*) FILTER (WHERE notice ->> 'kind' = ${notice.kind}) < ${ROOM_OF_A_KIND} AS "isLeft"
      FROM digest_items WHERE account_id = ${accountId}::uuid AND mail_id IS NULL AND mailed_at IS NULL AND weekly = ${period === 'weekly'}
    ), counted AS (
      UPDATE accounts SET ${more} = ${more} + 1 FROM room
      WHERE id = ${accountId}::uuid AND NOT "isLeft" AND NOT EXISTS (SELECT FROM digest_items WHERE id = ${id}::uuid)
    )
    INSERT INTO digest_items (id, account_id, notice, weekly, mailed_at)
    SELECT ${id}::uuid, ${accountId}::uuid, ${JSON.stringify(notice)}::jsonb, ${period === 'weekly'}, CASE WHEN ${period === null} THEN clock_timestamp() END
    FROM room WHERE "isLeft"
    ON CONFLICT DO NOTHING`;
  return added > 0;
};

/** Locks the account, and returns the milliseconds from `now` to its next mail of a period, by the clock of its time zone. */
export const lockForDigest = async (tx: Db, accountId: string, period: Period, now: Date): Promise<number> => {
  const [next] = await tx.$queryRaw<{ delayMs: number }[]>`
    SELECT (extract(epoch FROM next.at - ${now}::timestamptz) * 1000)::float8 AS "delayMs"
    FROM accounts AS a, generate_series(0, 8) AS day, LATERAL (SELECT
      date_trunc('day', ${now}::timestamptz AT TIME ZONE a.time_zone) + make_interval(days => day, hours => a.digest_hour) AS clock) AS local,
      LATERAL (SELECT local.clock AT TIME ZONE a.time_zone AS at) AS next
    WHERE a.id = ${accountId}::uuid AND (${period === 'daily'} OR extract(isodow FROM local.clock) = a.digest_day) AND next.at > ${now}::timestamptz ORDER BY next.at LIMIT 1 FOR NO KEY UPDATE OF a`;
  return next?.delayMs ?? 0;
};

/** The events of a digest, their first and last day, how many more there were, and its id: after a crash they are the same, because the mail server may have the mail. */
export const takeDigest = async (db: Db, accountId: string, period: Period, mailId: string) => {
  const weekly = period === 'weekly';
  const where = { accountId, weekly, mailedAt: null, mailId: { not: null } };
  const { next, taken } = MORE[period];
  if ((await db.digestItem.count({ where })) === 0)
    await db.$executeRaw`
      WITH taken AS (
        UPDATE digest_items SET mail_id = ${mailId}::uuid
        WHERE account_id = ${accountId}::uuid AND weekly = ${weekly} AND mailed_at IS NULL RETURNING id
      )
      UPDATE accounts SET ${taken} = ${next}, ${next} = 0
      WHERE id = ${accountId}::uuid AND EXISTS (SELECT FROM taken)`;
  const items = await db.digestItem.findMany({ where, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  const [facts] = await db.$queryRaw<{ more: number; days: string }[]>`
    SELECT ${taken} AS more, concat_ws(' to ', days.first, nullif(days.last, days.first)) AS days
    FROM accounts AS a, LATERAL (
      SELECT to_char(min(created_at) AT TIME ZONE a.time_zone, 'FMDD FMMonth') AS first,
        to_char(max(created_at) AT TIME ZONE a.time_zone, 'FMDD FMMonth') AS last
      FROM digest_items WHERE account_id = a.id AND weekly = ${weekly} AND mail_id IS NOT NULL AND mailed_at IS NULL) AS days
    WHERE a.id = ${accountId}::uuid`;
  const notices = items.map(({ notice }) => eventNotice.parse(notice));
  return { id: items[0]?.mailId ?? mailId, notices, more: facts?.more ?? 0, days: facts?.days ?? '' };
};

/** Whether events wait for a digest, or are in one that is being sent. */
export const hasUnmailed = async (tx: Db, accountId: string, period: Period): Promise<boolean> =>
  (await tx.digestItem.count({ where: { accountId, weekly: period === 'weekly', mailedAt: null } })) > 0;

/** Ends a digest; returns whether events wait for the next one. */
export const endDigest = async (tx: Db, accountId: string, period: Period): Promise<boolean> => {
  await tx.$executeRaw`
    UPDATE digest_items SET mailed_at = clock_timestamp()
    WHERE account_id = ${accountId}::uuid AND weekly = ${period === 'weekly'} AND mail_id IS NOT NULL AND mailed_at IS NULL`;
  await tx.$executeRaw`UPDATE accounts SET ${MORE[period].taken} = 0 WHERE id = ${accountId}::uuid`;
  return hasUnmailed(tx, accountId, period);
};

export const toMailChoices = ({
  timeZone,
  digestHour,
  digestDay,
  eventMails,
}: Pick<Account, 'timeZone' | 'digestHour' | 'digestDay' | 'eventMails'>): MailChoices => ({
  time_zone: timeZone,
  digest_hour: digestHour,
  digest_day: digestDay,
  event_mails: eventMails,
});

export type ChangedChoices = RequestOf<typeof identity.changeMailChoices>;

/** Saves the choices that the request has, and returns all with their version; null if there is no such account. */
export const saveMailChoices = async (
  tx: Db,
  { accountId, choices }: ChangedChoices,
  now: Date,
): Promise<VersionedChoices | null> => {
  const { time_zone: zone = null, digest_hour: hour = null, digest_day: day = null } = choices;
  const { event_mails: isOn = null } = choices;
  const [saved] = await tx.$queryRaw<VersionedChoices[]>`
    UPDATE accounts SET time_zone = coalesce(${zone}, time_zone), digest_hour = coalesce(${hour}::smallint, digest_hour),
      digest_day = coalesce(${day}::smallint, digest_day),
      mails_resumed_at = CASE WHEN ${isOn}::boolean AND NOT event_mails THEN ${now}::timestamptz ELSE mails_resumed_at END,
      event_mails = coalesce(${isOn}::boolean, event_mails), mail_version = ${Prisma.raw(nextVersion('mail_version'))}
    WHERE id = ${accountId}::uuid
    RETURNING id AS "accountId", time_zone, digest_hour, digest_day, event_mails, mail_version::float8 AS version`;
  return saved ?? null;
};

/** Whether the database, which computes the times, knows a time zone. */
export const isTimeZone = async (db: Db, name: string): Promise<boolean> =>
  (await db.$queryRaw<object[]>`SELECT FROM pg_timezone_names WHERE name = ${name}`).length > 0;
