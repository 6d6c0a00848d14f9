import type { CaptionTrack, VideoDetails } from '@tds/contracts';
import type { NegativeFact } from '../domain/selection.ts';
import type { VideoFacts, VideoStatus } from '../domain/video-facts.ts';
import type { Database, Tx } from './database.ts';

type Learnt = {
  readonly status: VideoStatus;
  readonly errorClass: string | null;
  readonly fact: NegativeFact | null;
  readonly tracks: readonly CaptionTrack[];
  readonly selected: { readonly languageCode: string; readonly kind: string } | null;
  readonly fetchedAt: Date | null;
};

/**
 * Adds what an attempt has learnt. A null never replaces a value, and a failure that is no fact about the video
 * never hides an earlier delivery.
 */
async function saveVideo(tx: Tx, video: VideoDetails, learnt: Learnt): Promise<void> {
  const fact = learnt.fact && JSON.stringify(learnt.fact.error);
  await tx.$executeRaw`
    INSERT INTO videos AS v (id, title, channel_id, channel_title, published_at, duration, status, error_class,
      fact, fact_expires_at, caption_tracks, selected_language, selected_kind, fetched_at)
    VALUES (${video.id}, ${video.title}, ${video.channel_id}, ${video.channel_title}, ${video.published_at},
      ${video.duration}, ${learnt.status}, ${learnt.errorClass}, ${fact}::jsonb, ${learnt.fact?.expiresAt ?? null},
      ${JSON.stringify(learnt.tracks)}::jsonb, ${learnt.selected?.languageCode ?? null},
      ${learnt.selected?.kind ?? null}, ${learnt.fetchedAt})
    ON CONFLICT (id) DO UPDATE SET
      title = coalesce(excluded.title, v.title),
      channel_id = coalesce(excluded.channel_id, v.channel_id),
      channel_title = coalesce(excluded.channel_title, v.channel_title),
      published_at = coalesce(excluded.published_at, v.published_at),
      duration = coalesce(excluded.duration, v.duration),
      status = CASE WHEN excluded.fact IS NULL AND v.status = 'fetched' THEN 'fetched' ELSE excluded.status END,
      error_class = CASE WHEN excluded.fact IS NULL AND v.status = 'fetched' THEN NULL ELSE excluded.error_class END,
      fact = excluded.fact,
      fact_expires_at = excluded.fact_expires_at,
      caption_tracks = CASE WHEN excluded.caption_tracks = '[]' THEN v.caption_tracks ELSE excluded.caption_tracks END,
      selected_language = coalesce(excluded.selected_language, v.selected_language),
      selected_kind = coalesce(excluded.selected_kind, v.selected_kind),
      fetched_at = coalesce(excluded.fetched_at, v.fetched_at)`;
}

/** A delivery: whatever was held against the video before is void. */
export const saveFetchedVideo = (
  tx: Tx,
  video: VideoDetails,
  { now, ...learnt }: Pick<Learnt, 'tracks' | 'selected'> & { now: Date },
): Promise<void> =>
  saveVideo(tx, video, { ...learnt, status: 'fetched', errorClass: null, fact: null, fetchedAt: now });

/** A failed attempt, with the fact about the video that it showed, if any. */
export const saveFailedVideo = (
  tx: Tx,
  video: VideoDetails,
  failure: Pick<Learnt, 'status' | 'errorClass' | 'fact' | 'tracks'>,
): Promise<void> => saveVideo(tx, video, { ...failure, selected: null, fetchedAt: null });

export async function findVideoFacts(db: Database, id: string): Promise<VideoFacts | null> {
  const [video, transcripts] = await Promise.all([
    db.video.findUnique({ where: { id } }),
    db.transcript.findMany({ where: { video_id: id }, orderBy: [{ language_code: 'asc' }, { kind: 'asc' }] }),
  ]);
  if (!video) return null;
  const { title, channel_id, channel_title, published_at, duration, selected_language, selected_kind } =
    video;
  return {
    video: { id, title, channel_id, channel_title, published_at, duration },
    status: video.status as VideoStatus,
    errorClass: video.error_class,
    fetchedAt: video.fetched_at,
    cached: transcripts.map(({ language_code, kind, cached_at }) => ({
      language_code,
      kind,
      cachedAt: cached_at,
    })),
    tracks: video.caption_tracks as CaptionTrack[],
    selected:
      selected_language && selected_kind ? { language_code: selected_language, kind: selected_kind } : null,
  };
}
