import type { ServiceError, VideoDetails } from '@tds/contracts';
import { PlatformError, type VideoInspection } from '@tds/video-platform';
import { factOf, selectionAfter, statusAfter } from '../domain/failure.ts';
import type { CachedSelection } from '../domain/selection.ts';
import { failedVideoRow, type InspectedVideo, type VideoRow } from '../store/videos.ts';
import { languagesOf, publicTracks } from './obtain-track.ts';

export type FetchFailure = {
  readonly error: ServiceError;
  /** What was learnt of the video before one language of it failed. */
  readonly inspection: VideoInspection | null;
};

/** What a failure says of one language of a video, or else of the video. */
export function learntFrom(
  videoId: string,
  failure: FetchFailure,
  now: Date,
): { readonly selection: CachedSelection | null; readonly video: VideoRow | null } {
  const selection = failedSelection(failure, now);
  const video = selection === null && wasAsked(failure) ? failedVideo(videoId, failure, now) : null;
  return { selection, video };
}

/** If every route to the platform was closed, or a part of ours failed first, nothing is known of the video. */
const wasAsked = ({ error, inspection }: FetchFailure): boolean =>
  error instanceof PlatformError ? error.wasAsked : inspection !== null;

function failedSelection({ error, inspection }: FetchFailure, now: Date): CachedSelection | null {
  if (!inspection) return null;
  const { tracks, translationsComplete } = inspection;
  return selectionAfter(error.data, { available: languagesOf(tracks), translationsComplete }, now);
}

const failedVideo = (videoId: string, failure: FetchFailure, now: Date): VideoRow => {
  const { error } = failure;
  return failedVideoRow({
    ...whatWasLearnt(videoId, failure),
    status: statusAfter(error.data),
    errorClass: error.errorClass,
    fact: error instanceof PlatformError ? factOf(error.data, error.fact, now) : null,
    now,
  });
};

const nothing: Omit<VideoDetails, 'id'> = {
  title: null,
  channel_id: null,
  channel_title: null,
  published_at: null,
  duration: null,
};

function whatWasLearnt(videoId: string, { error, inspection }: FetchFailure): InspectedVideo {
  const learnt = inspection ?? (error instanceof PlatformError ? error : null);
  const tracks = publicTracks(learnt?.tracks ?? []);
  return { video: { ...nothing, ...learnt?.video, id: videoId }, tracks };
}
