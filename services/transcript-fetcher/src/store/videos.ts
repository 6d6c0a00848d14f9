import { type CaptionTrack, type VideoDetails, videoDetails } from '@tds/contracts';
import type { Sql } from '@tds/service-kit';
import type { NegativeFact } from '../domain/selection.ts';
import type { TrackIdentity, VideoSnapshot } from '../domain/transcript.ts';
import type { VideoFacts, VideoStatus } from '../domain/video-facts.ts';
import type { Database, Tx } from './database.ts';

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

/** A row of `videos`, as `save_video` takes it. */
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

/** A delivery: whatever was held against the video before is void. */
export const fetchedVideoRow = (inspected: InspectedVideo, selected: TrackIdentity, now: Date) =>
  videoRow({ ...inspected, selected, status: 'fetched', errorClass: null, fact: null, fetchedAt: now });

/** A failed attempt, with the fact about the video that it showed, if any. */
export type FailedVideo = Omit<Learnt, 'selected' | 'fetchedAt'> & { readonly now: Date };

export const failedVideoRow = ({ now, ...failure }: FailedVideo) =>
  videoRow({ ...failure, selected: null, fetchedAt: now });

export async function saveFailedVideo(tx: Tx, failure: FailedVideo): Promise<void> {
  await tx.$executeRaw`SELECT save_video(${JSON.stringify(failedVideoRow(failure))}::jsonb)`;
}

/** What the cache holds of a video before it is fetched. */
export type KnownVideo = {
  readonly details: VideoSnapshot;
  readonly tracks: readonly (TrackIdentity & { readonly transcriptId: string; readonly cuesKey: string })[];
};

type KnownRow = VideoSnapshot &
  TrackIdentity & { readonly transcriptId: string | null; readonly cuesKey: string };

/** Each video by itself: a plan that was made for small tables would read all of them. */
const FIND_KNOWN = {
  name: 'find-known-videos',
  text: `
    SELECT v.title, v.channel_id, v.channel_title, v.published_at, v.duration, asked.id AS "videoId",
      t.id AS "transcriptId", t.object_key AS "cuesKey", t.language_code AS "languageCode", t.kind, t.translated
    FROM unnest($1::bpchar[]) AS asked (id)
    LEFT JOIN LATERAL (SELECT * FROM videos WHERE id = asked.id OFFSET 0) v ON true
    LEFT JOIN LATERAL (SELECT * FROM transcripts WHERE video_id = asked.id OFFSET 0) t ON true`,
};

/** A release before this one may have saved longer texts than an answer holds. */
const knownDetails = videoDetails.omit({ id: true });

/** In the order of the ids. */
export async function findKnownVideos(sql: Sql, videoIds: readonly string[]): Promise<KnownVideo[]> {
  const rows = Map.groupBy(await sql<KnownRow>(FIND_KNOWN, [videoIds]), ({ videoId }) => videoId);
  return videoIds.map((id) => toKnown(rows.get(id) ?? []));
}

function toKnown(rows: readonly KnownRow[]): KnownVideo {
  const [row] = rows;
  if (!row) throw new Error('a statement without a row source answered no row');
  return {
    details: knownDetails.parse(row),
    tracks: rows.flatMap(({ transcriptId, ...track }) =>
      transcriptId === null ? [] : [{ ...track, transcriptId }],
    ),
  };
}

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
