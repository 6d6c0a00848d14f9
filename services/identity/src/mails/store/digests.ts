import { nextVersionSql } from '@tds/base';
import {
  type EventNotice,
  eventNotice,
  type identity,
  type MailChoices,
  type RequestOf,
  type VersionedChoices,
} from '@tds/contracts';
import type { Db } from '../../store/database.ts';
import type { Person } from '../../store/people.ts';
import { Prisma } from '../../store/prisma/client.ts';

/** Events of a mail, by its period. */
export type Period = 'daily' | 'weekly';
export const PERIODS: readonly Period[] = ['daily', 'weekly'];
/** Where events without room are counted: of the next mail, and of the one that is being sent. */
const MORE = {
  daily: { next: Prisma.raw('digest_more'), taken: Prisma.raw('digest_more_taken') },
  weekly: { next: Prisma.raw('weekly_more'), taken: Prisma.raw('weekly_more_taken') },
};

/** A person of an account, to whom mails go. */
export type Reader = { readonly accountId: string; readonly personId: string };

/** Events of one mail, which has about a hundred lines then. Some of each kind have room in any case; all others are counted. */
const [MAX_WAITING_ITEMS, ROOM_OF_A_KIND] = [30, 10];

type MailedEvent = Reader & {
  /** The same however often the event is emitted. */
  readonly id: string;
  readonly notice: EventNotice;
};

/**
 * Adds an event that is mailed at once, or to those that wait for a digest, or counts it if the mail has no room for it. Returns
 * false if it was added before, or counted.
 */
export const addItem = async (
  tx: Db,
  { id, accountId, personId, notice }: MailedEvent,
  period: Period | null,
): Promise<boolean> => {
  const more = MORE[period ?? 'daily'].next;
  const added = await tx.$executeRaw`
    WITH room AS (
      SELECT ${period === null} OR count(*) < ${MAX_WAITING_ITEMS}
        OR count(*) FILTER (WHERE notice ->> 'kind' = ${notice.kind}) < ${ROOM_OF_A_KIND} AS "isLeft"
      FROM digest_items WHERE account_id = ${accountId}::uuid AND person_id = ${personId}::uuid AND mail_id IS NULL AND mailed_at IS NULL AND weekly = ${period === 'weekly'}
    ), counted AS (
      UPDATE people SET ${more} = ${more} + 1 FROM room
      WHERE id = ${personId}::uuid AND NOT "isLeft" AND NOT EXISTS (SELECT FROM digest_items WHERE id = ${id}::uuid)
    )
    INSERT INTO digest_items (id, account_id, person_id, notice, weekly, mailed_at)
    SELECT ${id}::uuid, ${accountId}::uuid, ${personId}::uuid, ${JSON.stringify(notice)}::jsonb, ${period === 'weekly'}, CASE WHEN ${period === null} THEN clock_timestamp() END
    FROM room WHERE "isLeft"
    ON CONFLICT DO NOTHING`;
  return added > 0;
};

/** Locks the person, and returns the milliseconds from `now` to their next mail of a period, by the clock of their time zone. */
export const lockForDigest = async (tx: Db, personId: string, period: Period, now: Date): Promise<number> => {
  const [next] = await tx.$queryRaw<{ delayMs: number }[]>`
    SELECT (extract(epoch FROM next.at - ${now}::timestamptz) * 1000)::float8 AS "delayMs"
    FROM people AS p, generate_series(0, 8) AS day, LATERAL (SELECT
      date_trunc('day', ${now}::timestamptz AT TIME ZONE p.time_zone) + make_interval(days => day, hours => p.digest_hour) AS clock) AS local,
      LATERAL (SELECT local.clock AT TIME ZONE p.time_zone AS at) AS next
    WHERE p.id = ${personId}::uuid AND (${period === 'daily'} OR extract(isodow FROM local.clock) = p.digest_day) AND next.at > ${now}::timestamptz ORDER BY next.at LIMIT 1 FOR NO KEY UPDATE OF p`;
  return next?.delayMs ?? 0;
};

/** The events of a digest, their first and last day, how many more there were, and its id: after a crash they are the same, because the mail server may have the mail. */
export const takeDigest = async (db: Db, { accountId, personId }: Reader, period: Period, mailId: string) => {
  const weekly = period === 'weekly';
  const where = { accountId, personId, weekly, mailedAt: null, mailId: { not: null } };
  const { next, taken } = MORE[period];
  if ((await db.digestItem.count({ where })) === 0)
    await db.$executeRaw`
      WITH taken AS (
        UPDATE digest_items SET mail_id = ${mailId}::uuid
        WHERE account_id = ${accountId}::uuid AND person_id = ${personId}::uuid AND weekly = ${weekly} AND mailed_at IS NULL RETURNING id
      )
      UPDATE people SET ${taken} = ${next}, ${next} = 0
      WHERE id = ${personId}::uuid AND EXISTS (SELECT FROM taken)`;
  const items = await db.digestItem.findMany({ where, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  const [facts] = await db.$queryRaw<{ more: number; days: string }[]>`
    SELECT ${taken} AS more, concat_ws(' to ', days.first, nullif(days.last, days.first)) AS days
    FROM people AS p, LATERAL (
      SELECT to_char(min(created_at) AT TIME ZONE p.time_zone, 'FMDD FMMonth') AS first,
        to_char(max(created_at) AT TIME ZONE p.time_zone, 'FMDD FMMonth') AS last
      FROM digest_items WHERE account_id = p.account_id AND person_id = p.id AND weekly = ${weekly} AND mail_id IS NOT NULL AND mailed_at IS NULL) AS days
    WHERE p.id = ${personId}::uuid`;
  const notices = items.map(({ notice }) => eventNotice.parse(notice));
  return { id: items[0]?.mailId ?? mailId, notices, more: facts?.more ?? 0, days: facts?.days ?? '' };
};

/** Whether events wait for a digest, or are in one that is being sent. */
export const hasUnmailed = async (
  tx: Db,
  { accountId, personId }: Reader,
  period: Period,
): Promise<boolean> => {
  const where = { accountId, personId, weekly: period === 'weekly', mailedAt: null };
  return (await tx.digestItem.count({ where })) > 0;
};

/** Ends a digest; returns whether events wait for the next one. */
export const endDigest = async (tx: Db, reader: Reader, period: Period): Promise<boolean> => {
  const { accountId, personId } = reader;
  await tx.$executeRaw`
    UPDATE digest_items SET mailed_at = clock_timestamp()
    WHERE account_id = ${accountId}::uuid AND person_id = ${personId}::uuid AND weekly = ${period === 'weekly'} AND mail_id IS NOT NULL AND mailed_at IS NULL`;
  await tx.$executeRaw`UPDATE people SET ${MORE[period].taken} = 0 WHERE id = ${personId}::uuid`;
  return hasUnmailed(tx, reader, period);
};

/** Of a person whom a restore has lost. */
const DEFAULT_CHOICES = { timeZone: 'UTC', digestHour: 8, digestDay: 1, eventMails: true };

export const toMailChoices = ({
  timeZone,
  digestHour,
  digestDay,
  eventMails,
}: Pick<Person, keyof typeof DEFAULT_CHOICES> = DEFAULT_CHOICES): MailChoices => ({
  time_zone: timeZone,
  digest_hour: digestHour,
  digest_day: digestDay,
  event_mails: eventMails,
});

export type ChangedChoices = Reader & Pick<RequestOf<typeof identity.changeMailChoices>, 'choices'>;

/** Saves the choices that the request has, and returns all with their version; null if there is no such person. */
export const saveMailChoices = async (
  tx: Db,
  { accountId, personId, choices }: ChangedChoices,
  now: Date,
): Promise<VersionedChoices | null> => {
  const { time_zone: zone = null, digest_hour: hour = null, digest_day: day = null } = choices;
  const { event_mails: isOn = null } = choices;
  const [saved] = await tx.$queryRaw<VersionedChoices[]>`
    UPDATE people SET time_zone = coalesce(${zone}, time_zone), digest_hour = coalesce(${hour}::smallint, digest_hour),
      digest_day = coalesce(${day}::smallint, digest_day),
      mails_resumed_at = CASE WHEN ${isOn}::boolean AND NOT event_mails THEN ${now}::timestamptz ELSE mails_resumed_at END,
      event_mails = coalesce(${isOn}::boolean, event_mails), mail_version = ${Prisma.raw(nextVersionSql('mail_version'))}
    WHERE id = ${personId}::uuid AND account_id = ${accountId}::uuid
    RETURNING account_id AS "accountId", id AS "personId", time_zone, digest_hour, digest_day, event_mails, mail_version::float8 AS version`;
  return saved ?? null;
};

/** Whether the database, which computes the times, knows a time zone. */
export const isTimeZone = async (db: Db, name: string): Promise<boolean> =>
  (await db.$queryRaw<object[]>`SELECT FROM pg_timezone_names WHERE name = ${name}`).length > 0;

/** Gives what the release before has kept for an account to its oldest owner. */
export const adoptItems = ({ digestItem }: Db, { accountId, personId }: Reader) =>
  digestItem.updateMany({ where: { accountId, personId: null }, data: { personId } });
