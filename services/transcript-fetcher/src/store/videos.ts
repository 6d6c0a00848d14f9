import type { CaptionTrack, VideoDetails } from '@tds/contracts';
import type { NegativeFact } from '../domain/selection.ts';
import type { TrackIdentity } from '../domain/transcript.ts';
import type { VideoFacts, VideoStatus } from '../domain/video-facts.ts';
import type { Database } from './database.ts';

/** What the platform said of a video. */
export type InspectedVideo = { readonly video: VideoDetails; readonly tracks: readonly CaptionTrack[] };

type Learnt = InspectedVideo & {
  readonly status: VideoStatus;
  readonly errorClass: string | null;
  readonly fact: NegativeFact | null;
  readonly selected: Pick<TrackIdentity, 'languageCode' | 'kind'> | null;
  /** When it was learnt. */
  readonly fetchedAt: Date;
};

/** A row of `videos`. */
const videoRow = (learnt: Learnt) => ({
  ...learnt.video,
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

export type VideoRow = ReturnType<typeof videoRow>;

/** A delivery: whatever was held against the video before is void. */
export const fetchedVideoRow = (inspected: InspectedVideo, selected: TrackIdentity, now: Date) =>
  videoRow({ ...inspected, selected, status: 'fetched', errorClass: null, fact: null, fetchedAt: now });

/** A failed attempt, with the fact about the video that it showed, if any. */
export type FailedVideo = Omit<Learnt, 'selected' | 'fetchedAt'> & { readonly now: Date };

export const failedVideoRow = ({ now, ...failure }: FailedVideo) =>
  videoRow({ ...failure, selected: null, fetchedAt: now });

export async function findVideoFacts(db: Database, id: string): Promise<VideoFacts | null> {
  const [video, cached] = await Promise.all([
    db.video.findUnique({ where: { id } }),
    db.transcript.findMany({
      where: { videoId: id },
      orderBy: [{ languageCode: 'asc' }, { kind: 'asc' }],
      select: { languageCode: true, kind: true, cachedAt: true },
    }),
  ]);
  if (!video) return null;
  const { title, duration, selectedLanguage, selectedKind } = video;
  return {
    video: {
      id,
      title,
      channel_id: video.channelId,
      channel_title: video.channelTitle,
      published_at: video.publishedAt,
      duration,
    },
    status: video.status as VideoStatus,
    errorClass: video.errorClass,
    fetchedAt: video.fetchedAt,
    cached,
    tracks: video.captionTracks as CaptionTrack[],
    selected:
      selectedLanguage && selectedKind ? { languageCode: selectedLanguage, kind: selectedKind } : null,
  };
}
