import { languageCodes, type TranscriptFormat, type VideoDetails, videoDetails } from '@tds/contracts';
import type { Sql } from '@tds/service-kit';
import type { CacheEntry } from '../domain/cache-entry.ts';
import type { CachedSelection, NegativeFact } from '../domain/selection.ts';
import type { CachedTranscript, VideoSnapshot } from '../domain/transcript.ts';

export type CacheRow = {
  title: string | null;
  channel_id: string | null;
  channel_title: string | null;
  published_at: string | null;
  duration: number | null;
  fact: NegativeFact['error'] | null;
  fact_expires_at: Date | null;
  fact_retry_at: Date | null;
  is_fallback: boolean | null;
  translation: CachedSelection['translation'] | null;
  available: string[] | null;
  expires_at: Date | null;
  transcript_id: string | null;
  language_code: string;
  kind: CachedTranscript['kind'];
  cues_key: string;
  cached_at: Date;
  snapshot: VideoSnapshot | null;
  strategy: string | null;
  file_key: string | null;
  bytes: number;
  sha256: string;
};

/** Of a video, the selection and transcript that a language leads to, and its rendered file: `v`, `s`, `t` and `r`. */
export const CACHE_COLUMNS = `
  v.title, v.channel_id, v.channel_title, v.published_at, v.duration, v.fact, v.fact_expires_at, v.fact_retry_at,
  s.is_fallback, s.translation, s.available, s.expires_at,
  t.id AS transcript_id, t.language_code, t.kind, t.object_key AS cues_key, t.cached_at, t.video AS snapshot, t.strategy,
  r.object_key AS file_key, r.bytes, r.sha256`;

const FIND_CACHED = {
  name: 'find-cached',
  text: `
    SELECT ${CACHE_COLUMNS}
    FROM (SELECT $1::char(11) AS id) AS asked
    LEFT JOIN videos v ON v.id = asked.id
    LEFT JOIN selections s ON s.video_id = asked.id AND s.language = $2
    LEFT JOIN transcripts t ON t.id = coalesce(s.transcript_id, (
      SELECT exact.id FROM transcripts exact
      WHERE s.video_id IS NULL AND exact.video_id = asked.id AND exact.language_code = $2
        AND exact.kind = 'manual' AND NOT exact.translated))
    LEFT JOIN rendered_files r ON r.transcript_id = t.id AND r.format = $3`,
};

/**
 * Everything that the cache knows about one selection, in one statement. A manual track in exactly the wanted
 * language is the first choice of every request, so it also serves those who are the first to ask in this language.
 */
export async function findCached(
  sql: Sql,
  wanted: { videoId: string; language: string; format: TranscriptFormat },
): Promise<CacheEntry> {
  const [row] = await sql<CacheRow>(FIND_CACHED, [wanted.videoId, wanted.language, wanted.format]);
  if (!row) throw new Error('a statement without a row source answered no row');
  return toCacheEntry(wanted.videoId, row);
}

export function toCacheEntry(videoId: string, row: CacheRow): CacheEntry {
  const video = toVideo(videoId, row.snapshot ?? row);
  return {
    video,
    fact: row.fact ? { error: row.fact, expiresAt: row.fact_expires_at, retryAt: row.fact_retry_at } : null,
    selection: toSelection(row),
    transcript: toTranscript(video, row),
    rendered: row.file_key ? { objectKey: row.file_key, bytes: row.bytes, sha256: row.sha256 } : null,
  };
}

const toVideo = (
  id: string,
  { title, channel_id, channel_title, published_at, duration }: VideoSnapshot,
): VideoDetails => videoDetails.parse({ id, title, channel_id, channel_title, published_at, duration });

const exactSelection: CachedSelection = {
  isFallback: false,
  translation: 'not_requested',
  available: [],
  expiresAt: null,
};

function toSelection(row: CacheRow): CachedSelection | null {
  if (row.is_fallback === null || row.translation === null) return row.transcript_id ? exactSelection : null;
  return {
    isFallback: row.is_fallback,
    translation: row.translation,
    available: languageCodes.parse(row.available ?? []),
    expiresAt: row.expires_at,
  };
}

const toTranscript = (video: VideoDetails, row: CacheRow): CachedTranscript | null =>
  row.transcript_id === null
    ? null
    : {
        id: row.transcript_id,
        videoId: video.id,
        video,
        languageCode: row.language_code,
        kind: row.kind,
        cuesKey: row.cues_key,
        cachedAt: row.cached_at,
        strategy: row.strategy,
      };
