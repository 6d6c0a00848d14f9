import type { ServiceError, VideoDetails } from '@tds/contracts';
import { PlatformError, type VideoInspection } from '@tds/video-platform';
import { factOf, selectionAfter, statusAfter } from '../domain/failure.ts';
import type { CachedSelection } from '../domain/selection.ts';
import type { Fetch } from '../store/fetches.ts';
import type { FailedVideo, InspectedVideo } from '../store/videos.ts';
import { languagesOf, publicTracks } from './obtain-track.ts';

export type FetchFailure = {
  readonly error: ServiceError;
  /** What was learnt of the video before one language of it failed. */
  readonly inspection: VideoInspection | null;
};

/** What a failure says of one language of a video, or else of the video. */
export function learntFrom(
  fetch: Fetch,
  failure: FetchFailure,
  now: Date,
): { readonly selection: CachedSelection | null; readonly video: FailedVideo | null } {
  const selection = failedSelection(failure, now);
  const video = selection === null && wasAsked(failure) ? failedVideo(fetch, failure, now) : null;
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

const failedVideo = (fetch: Fetch, failure: FetchFailure, now: Date): FailedVideo => {
  const { error } = failure;
  return {
    ...whatWasLearnt(fetch, failure),
    status: statusAfter(error.data),
    errorClass: error.errorClass,
    fact: error instanceof PlatformError ? factOf(error.data, error.fact, now) : null,
    now,
  };
};

const nothing: Omit<VideoDetails, 'id'> = {
  title: null,
  channel_id: null,
  channel_title: null,
  published_at: null,
  duration: null,
};

function whatWasLearnt(fetch: Fetch, { error, inspection }: FetchFailure): InspectedVideo {
  const learnt = inspection ?? (error instanceof PlatformError ? error : null);
  const tracks = publicTracks(learnt?.tracks ?? []);
  return { video: { ...nothing, ...learnt?.video, id: fetch.videoId }, tracks };
}
