import type { Sql } from '@tds/base';
import {
  type CaptionTrack,
  type Chapter,
  type ReplyOf,
  type transcriptFetcher,
  unknownVideo,
} from '@tds/contracts';
import type { ServiceErrorData } from '@tds/errors';
import type { NegativeFact } from '../../domain/transcript.ts';
import type { Database } from '../../store/database.ts';
import type { VideoStatus } from '../domain/video-facts.ts';
import type { VideoRow } from './transcripts.ts';

type PublicFacts = ReplyOf<typeof transcriptFetcher.getVideoFacts>;

/** `2026-11-20 09:30:00`, UTC: the form that the specification gives for fetched_at. */
const plainTimestamp = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');

const asKind = (kind: string): 'manual' | 'asr' => (kind === 'asr' ? 'asr' : 'manual');

/** Of a video that was never requested. */
const unknownFacts = (id: string): PublicFacts => ({
  video: { ...unknownVideo(id), status: 'unknown', error_class: null, fetched_at: null },
  cached_languages: [],
  caption_tracks: [],
  original_language: null,
  selected: null,
});

/** What callers may know of a video. Unknown values are null. */
export async function findVideoFacts(db: Database, id: string): Promise<PublicFacts> {
  const [video, cached] = await Promise.all([
    db.video.findUnique({ where: { id } }),
    db.transcript.findMany({
      where: { videoId: id, isCurrent: true },
      orderBy: [{ languageCode: 'asc' }, { kind: 'asc' }],
      select: { languageCode: true, kind: true, translated: true, cachedAt: true },
    }),
  ]);
  if (!video) return unknownFacts(id);
  const { title, duration, description, fetchedAt, selectedLanguage, selectedKind } = video;
  const status = video.status as VideoStatus;
  return {
    video: {
      id,
      title,
      channel_id: video.channelId,
      channel_title: video.channelTitle,
      published_at: video.publishedAt,
      duration,
      description,
      tags: video.tags as string[] | null,
      view_count: video.viewCount === null ? null : Number(video.viewCount),
      thumbnail_url: video.thumbnailUrl,
      chapters: video.chapters as Chapter[] | null,
      status,
      error_class: status === 'unavailable' || status === 'error' ? video.errorClass : null,
      fetched_at: fetchedAt && status !== 'unknown' ? plainTimestamp(fetchedAt) : null,
    },
    cached_languages: cached.map(({ languageCode, kind, translated, cachedAt }) => ({
      language_code: languageCode,
      kind: asKind(kind),
      translated,
      cached_at: cachedAt.toISOString(),
    })),
    caption_tracks: video.captionTracks as CaptionTrack[],
    original_language: video.originalLanguage,
    selected:
      selectedLanguage && selectedKind ? { language_code: selectedLanguage, kind: asKind(selectedKind) } : null,
  };
}

export type KnownLanguages = {
  readonly tracks: readonly CaptionTrack[];
  readonly original: string | null;
  readonly isTranslatable: boolean;
  readonly checkedAt: Date;
};

type LanguageFacts = {
  /** A fact about the video, perhaps of the past. */
  readonly fact: NegativeFact | null;
  /** Null if the platform was not asked. */
  readonly languages: KnownLanguages | null;
};

/** What is known of a video's languages. */
export const findLanguages = async (db: Database, id: string): Promise<LanguageFacts> => {
  const video = await db.video.findUnique({ where: { id } });
  if (video === null) return { fact: null, languages: null };
  const { fact, factExpiresAt: expiresAt, factRetryAt: retryAt, tracksAt: checkedAt } = video;
  return {
    fact: fact === null ? null : { error: fact as ServiceErrorData, expiresAt, retryAt },
    languages: checkedAt && {
      tracks: video.captionTracks as CaptionTrack[],
      original: video.originalLanguage,
      isTranslatable: video.translatable === true,
      checkedAt,
    },
  };
};

export const saveVideo = async (sql: Sql, row: VideoRow): Promise<void> => {
  await sql('SELECT save_videos($1)', [JSON.stringify([row])]);
};
