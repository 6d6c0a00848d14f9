import { onlyRow, type Sql } from '@tds/base';
import type { SharedLink, TranslationOutcome } from '@tds/contracts';
import type { Db } from '../../store/database.ts';
import { Prisma } from '../../store/prisma/client.ts';

/** What a request for a link asks for: a repeat of its Idempotency-Key asks for the same. */
export type LinkWish = {
  readonly videoId: string;
  readonly language: string | null;
  readonly start: number | null;
  readonly end: number | null;
  readonly days: number;
};

/** A link with what only the services know of it. */
export type StoredLink = {
  readonly link: SharedLink;
  readonly accountId: string;
  readonly keyId: string;
  readonly transcriptId: string;
  readonly isFallback: boolean;
  readonly translation: TranslationOutcome;
  /** Neither over, nor of a transcript that the account has deleted since. */
  readonly isLive: boolean;
  readonly wish: LinkWish;
};

const UTC = `AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

const LINKS = `
  SELECT l.account_id AS "accountId", l.key_id AS "keyId", l.transcript_id AS "transcriptId", l.is_fallback AS "isFallback",
    l.translation, l.ends_at > clock_timestamp() AND EXISTS (
      SELECT FROM library_entries AS e WHERE e.account_id = l.account_id AND e.transcript_id = l.transcript_id) AS "isLive",
    jsonb_build_object('videoId', t.video_id, 'language', l.language, 'start', l.start, 'end', l."end", 'days', l.days) AS wish,
    jsonb_build_object('id', l.id, 'person_id', l.person_id, 'video_id', t.video_id, 'title', t.video -> 'title',
      'channel_id', t.video -> 'channel_id', 'channel_title', t.video -> 'channel_title', 'published_at', t.video -> 'published_at',
      'duration', t.video -> 'duration', 'language', t.language_code, 'kind', t.kind, 'translated', t.translated,
      'requested', coalesce(l.language, t.language_code), 'start', l.start, 'end', l."end", 'created_at', to_char(l.created_at ${UTC}),
      'ends_at', to_char(l.ends_at ${UTC}), 'opens', l.opens) AS link
  FROM links AS l JOIN transcripts AS t ON t.id = l.transcript_id`;

const BY_ID = `${LINKS} WHERE l.id = $1`;
const OF_ACCOUNT = `${LINKS} WHERE l.account_id = $1 AND l.ends_at > clock_timestamp() ORDER BY l.created_at DESC, l.id`;

export const findLink = async (sql: Sql, id: string): Promise<StoredLink | null> =>
  (await sql<StoredLink>(BY_ID, [id]))[0] ?? null;

/** The live ones, newest first. */
export const findLinks = async (sql: Sql, accountId: string): Promise<SharedLink[]> =>
  (await sql<StoredLink>(OF_ACCOUNT, [accountId])).filter(({ isLive }) => isLive).map(({ link }) => link);

/** Until the transaction ends, no other one makes links of the account. */
export const lockLinks = async (tx: Db, accountId: string): Promise<void> => {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`links ${accountId}`}, 0))`;
};

export const findByKey = async (
  tx: Db,
  accountId: string,
  idempotencyKey: string,
): Promise<StoredLink | null> =>
  (
    await tx.$queryRaw<StoredLink[]>`
      ${Prisma.raw(LINKS)} WHERE l.account_id = ${accountId}::uuid AND l.idempotency_key = ${idempotencyKey}`
  )[0] ?? null;

type ReceivedTranscript = {
  readonly id: string;
  /** In seconds; null if it is unknown. */
  readonly duration: number | null;
  readonly isFallback: boolean;
  readonly translation: TranslationOutcome;
};

/**
 * The transcript that the account has received of a video: what the cache has for a language, what the language selected, else one in that
 * language; without a language the newest. Null if there is none.
 */
export const findReceived = async (
  tx: Db,
  accountId: string,
  { videoId, language }: Pick<LinkWish, 'videoId' | 'language'>,
  cachedId: string | null,
): Promise<ReceivedTranscript | null> =>
  (
    await tx.$queryRaw<ReceivedTranscript[]>`
      SELECT t.id, (t.video ->> 'duration')::int AS duration, coalesce(s.is_fallback, false) AS "isFallback",
        coalesce(s.translation, CASE WHEN t.translated THEN 'served' ELSE 'not_requested' END) AS translation
      FROM transcripts AS t
      JOIN library_entries AS e ON e.transcript_id = t.id AND e.account_id = ${accountId}::uuid
      LEFT JOIN selections AS s ON s.transcript_id = t.id AND s.video_id = t.video_id AND s.language = ${language}
      WHERE t.video_id = ${videoId} AND (${language}::text IS NULL OR s.language IS NOT NULL OR t.language_code = ${language}
        OR t.id = ${cachedId}::uuid)
      ORDER BY t.id = ${cachedId}::uuid DESC NULLS LAST, s.language IS NULL, t.is_current DESC, e.received_at DESC, t.id LIMIT 1`
  )[0] ?? null;

/** Live links of an account, and those that it has made on this UTC day. */
export const countLinks = async (
  tx: Db,
  accountId: string,
): Promise<{ readonly live: number; readonly today: number }> =>
  onlyRow(
    await tx.$queryRaw`
      SELECT count(*) FILTER (WHERE ends_at > clock_timestamp())::int AS live,
        count(*) FILTER (WHERE created_at >= date_trunc('day', clock_timestamp(), 'UTC'))::int AS today
      FROM links WHERE account_id = ${accountId}::uuid`,
  );

type NewLink = Pick<LinkWish, 'language' | 'start' | 'end' | 'days'> & {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly personId: string;
  readonly idempotencyKey: string | null;
};

export const insertLink = async (
  tx: Db,
  link: NewLink,
  { id, isFallback, translation }: ReceivedTranscript,
): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO links (id, account_id, key_id, person_id, transcript_id, language, is_fallback, translation, start, "end", days,
      idempotency_key, created_at, ends_at)
    SELECT ${link.id}::uuid, ${link.accountId}::uuid, ${link.keyId}::uuid, ${link.personId}::uuid, ${id}::uuid, ${link.language},
      ${isFallback}, ${translation}, ${link.start}::float8, ${link.end}::float8, ${link.days}::smallint, ${link.idempotencyKey}, now,
      now + ${link.days}::int * interval '1 day'
    FROM clock_timestamp() AS now`;
};

/** Ends a link now or, after a restore, when it was taken back. Resolves to its new end; null if it was over already. */
export const saveEnd = async (tx: Db, id: string, endedAt: string | null = null): Promise<string | null> => {
  const [row] = await tx.$queryRaw<{ at: Date }[]>`
    UPDATE links SET ends_at = coalesce(${endedAt}::timestamptz, clock_timestamp())
    WHERE id = ${id}::uuid AND ends_at > coalesce(${endedAt}::timestamptz, clock_timestamp()) RETURNING ends_at AS at`;
  return row?.at.toISOString() ?? null;
};

const COUNT_OPEN = 'UPDATE links SET opens = opens + 1 WHERE id = $1 AND opens < 2147483647';

export const countOpen = async (sql: Sql, id: string): Promise<void> => {
  await sql(COUNT_OPEN, [id]);
};
