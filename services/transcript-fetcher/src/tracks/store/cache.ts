import { onlyRow, type Sql } from '@tds/base';
import {
  languageCodes,
  type StoredFormat,
  type TranscriptSelection,
  type TranslationOutcome,
  unknownVideo,
  type VideoDetails,
  type VideoSummary,
  videoDetails,
} from '@tds/contracts';
import type { ServiceErrorData } from '@tds/errors';
import type { StartedFetch } from '../../domain/fetch.ts';
import {
  type CacheAnswer,
  type CachedTranscript,
  factError,
  type Hit,
  type KeptFile,
  strictError,
  type VideoSnapshot,
} from '../../domain/transcript.ts';

type Time = Date | string;

type TrackRow = {
  readonly transcript_id: string | null;
  readonly language_code: string;
  readonly kind: CachedTranscript['kind'];
  readonly cues_key: string;
  readonly cached_at: Time;
  readonly snapshot: Partial<VideoSnapshot> | null;
  readonly strategy: string;
  readonly file_key: string | null;
  readonly bytes: number;
  readonly sha256: string;
  readonly crc32: string | number;
};

/** A value of the SQL type `known`, as a row or as JSON. */
type KnownRow = Omit<VideoSummary, 'id'> &
  TrackRow & {
    readonly outcome: 'delivered' | 'strict' | 'fact' | 'refresh' | null;
    readonly fact: ServiceErrorData | null;
    readonly fact_expires_at: Time | null;
    readonly fact_retry_at: Time | null;
    readonly is_fallback: boolean;
    readonly translation: TranslationOutcome;
    readonly available: string[] | null;
    readonly expires_at: Time | null;
  };

const LOOK = 'SELECT * FROM look(p_video_id => $1, p_language => $2, p_fallback => $3, p_format => $4)';

/** The cache's answer for one selection, in one statement. */
export async function lookUpCache(sql: Sql, query: TranscriptSelection, now: Date): Promise<CacheAnswer> {
  const { videoId, language, fallback, format } = query;
  const row = onlyRow(await sql<KnownRow>(LOOK, [videoId, language, fallback, format]));
  return toCacheAnswer(query, row, now);
}

function toCacheAnswer(
  { videoId, format }: Pick<TranscriptSelection, 'videoId' | 'format'>,
  row: KnownRow,
  now: Date,
): CacheAnswer {
  const fact = row.fact === null ? null : { error: row.fact, ...toTimes(row) };
  const { is_fallback: isFallback, translation } = row;
  const choice = { isFallback, translation };
  const endsAt = toDate(row.expires_at);
  if (row.outcome === 'refresh') {
    const current = row.transcript_id === null ? null : { transcript: toTranscript(videoId, row), choice };
    return { kind: 'refresh', video: toVideo(videoId, row), current };
  }
  if (row.outcome === 'delivered') {
    const hit = { transcript: toTranscript(videoId, row), choice, file: toFile(format, row) };
    const isEnded = endsAt !== null && endsAt <= now;
    return { kind: 'hit', hit, fact: fact && factError(fact, now), isEnded };
  }
  if (row.outcome === 'fact' && fact) return { kind: 'failed', error: factError(fact, now) };
  if (row.outcome === 'strict') {
    const available = languageCodes.parse(row.available ?? []);
    return { kind: 'failed', error: strictError({ translation, available, expiresAt: endsAt }, now) };
  }
  return { kind: 'unknown', video: toVideo(videoId, row) };
}

const toDate = (time: Time | null): Date | null => (time === null ? null : new Date(time));

const toTimes = (row: KnownRow) => ({
  expiresAt: toDate(row.fact_expires_at),
  retryAt: toDate(row.fact_retry_at),
});

const toVideo = (id: string, snapshot: Partial<VideoSnapshot>): VideoDetails =>
  videoDetails.parse({ ...unknownVideo(id), ...snapshot, id });

const toTranscript = (videoId: string, row: TrackRow): CachedTranscript => {
  const { transcript_id: id, snapshot } = row;
  if (id === null || snapshot === null) throw new Error(`look returned a missing transcript of ${videoId}`);
  return {
    id,
    videoId,
    video: toVideo(videoId, snapshot),
    languageCode: row.language_code,
    kind: row.kind,
    cuesKey: row.cues_key,
    cachedAt: new Date(row.cached_at),
    strategy: row.strategy,
  };
};

const toFile = (format: StoredFormat, row: TrackRow): KeptFile | null =>
  row.file_key === null
    ? null
    : { format, objectKey: row.file_key, bytes: row.bytes, sha256: row.sha256, crc32: Number(row.crc32) };

const FIND_DELIVERED = `
  SELECT t.video_id AS "videoId", t.id AS transcript_id, t.language_code, t.kind, t.object_key AS cues_key, t.cached_at,
    t.video AS snapshot, t.strategy, r.object_key AS file_key, r.bytes, r.sha256, r.crc32
  FROM transcripts AS t LEFT JOIN rendered_files AS r ON r.transcript_id = t.id AND r.format = $2
  WHERE t.id = ANY ($1::uuid[])`;

/** Transcripts by id, each with its file in one format if that exists. Leaves out unknown ids. */
export async function findTranscripts(
  sql: Sql,
  ids: readonly string[],
  format: StoredFormat,
): Promise<Omit<Hit, 'choice'>[]> {
  const rows = await sql<TrackRow & { readonly videoId: string }>(FIND_DELIVERED, [ids, format]);
  return rows.map((row) => ({ transcript: toTranscript(row.videoId, row), file: toFile(format, row) }));
}

const RESTORE_WAITS = `
  SELECT id, greatest(1, ceil(extract(epoch FROM restore_failed_at + interval '1 minute' - now())))::integer AS "waitSeconds"
  FROM transcripts WHERE id = ANY ($1::uuid[]) AND restore_failed_at > now() - interval '1 minute'`;

/** The seconds until lost transcripts may be fetched again after a failure, by id; the others may be now. */
export const findRestoreWaits = async (
  sql: Sql,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await sql<{ id: string; waitSeconds: number }>(RESTORE_WAITS, [ids]);
  return new Map(rows.map(({ id, waitSeconds }) => [id, waitSeconds]));
};

/** A fetch as the database gives it; `format` is null if no operation waits for it any more. */
export type StartedFetchRow = Pick<StartedFetch, 'priority' | 'language' | 'fallback' | 'losses' | 'tracks'> & {
  readonly fetch_id: string;
  readonly account_id: string | null;
  readonly video_id: string;
  readonly format: StoredFormat | null;
  readonly known: KnownRow;
};

export const toStartedFetch = (row: StartedFetchRow): StartedFetch => {
  const { fetch_id: fetchId, account_id: accountId, video_id: videoId, known, ...fetch } = row;
  // Without a waiting operation any format will do.
  const format = row.format ?? 'json';
  const cacheAnswer = toCacheAnswer({ videoId, format }, known, new Date());
  return { ...fetch, fetchId, accountId, videoId, format, cacheAnswer };
};
