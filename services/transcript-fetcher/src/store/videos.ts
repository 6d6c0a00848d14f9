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
  /** When it was learnt. */
  readonly fetchedAt: Date;
};

/** A row of `videos`, as `save_video` takes it. */
const videoRow = (video: VideoDetails, learnt: Learnt): string =>
  JSON.stringify({
    ...video,
    status: learnt.status,
    error_class: learnt.errorClass,
    fact: learnt.fact?.error ?? null,
    fact_expires_at: learnt.fact?.expiresAt ?? null,
    fact_retry_at: learnt.fact?.retryAt ?? null,
    caption_tracks: learnt.tracks,
    selected_language: learnt.selected?.languageCode ?? null,
    selected_kind: learnt.selected?.kind ?? null,
    fetched_at: learnt.fetchedAt,
  });

/** A delivery: whatever was held against the video before is void. */
export const fetchedVideoRow = (
  video: VideoDetails,
  { now, ...learnt }: Pick<Learnt, 'tracks' | 'selected'> & { now: Date },
): string => videoRow(video, { ...learnt, status: 'fetched', errorClass: null, fact: null, fetchedAt: now });

/** A failed attempt, with the fact about the video that it showed, if any. */
export async function saveFailedVideo(
  tx: Tx,
  video: VideoDetails,
  { now, ...failure }: Pick<Learnt, 'status' | 'errorClass' | 'fact' | 'tracks'> & { now: Date },
): Promise<void> {
  const row = videoRow(video, { ...failure, selected: null, fetchedAt: now });
  await tx.$executeRaw`SELECT save_video(${row}::jsonb)`;
}

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
