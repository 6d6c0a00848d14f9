import { type ServiceError, transcriptFetcher, type VideoDetails } from '@tds/contracts';
import { crashPoint, type TaskContext } from '@tds/service-kit';
import { PlatformError, type VideoInspection } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { factOf, selectionAfter, statusAfter } from '../domain/failure.ts';
import type { CachedSelection } from '../domain/selection.ts';
import { type Fetch, failFetch } from '../store/fetches.ts';
import { failOperations } from '../store/operations.ts';
import { saveSelection } from '../store/transcripts.ts';
import { type InspectedVideo, saveFailedVideo } from '../store/videos.ts';
import { languagesOf, publicTracks } from './obtain-track.ts';

type Failure = {
  readonly error: ServiceError;
  /** What was learnt of the video before one language of it failed. */
  readonly inspection: VideoInspection | null;
  /** A defect of ours rather than an answer of the platform: leaves a dead letter. */
  readonly isUnforeseen: boolean;
};

/** In one transaction: what the failure tells about the video, and every operation's end. Who gets no credit back is answered. */
export async function saveFailure(
  { db, messaging, waiters, now }: Pick<Deps, 'db' | 'messaging' | 'waiters' | 'now'>,
  fetch: Fetch,
  failure: Failure,
  task: TaskContext,
): Promise<void> {
  const { data, cause } = failure.error;
  const at = now();
  const selection = failedSelection(failure, at);
  const answerable = await messaging.transaction(db, async (tx, send) => {
    await (failure.isUnforeseen ? task.bury(tx, String(cause)) : task.complete(tx));
    if (selection) await saveSelection(tx, { ...fetch, transcriptId: null }, selection);
    else if (wasAsked(failure)) await saveFailedVideo(tx, failedVideo(fetch, failure, at));
    if (!(await failFetch(tx, fetch.id))) return [];
    const failed = await failOperations(tx, fetch.id, data);
    for (const operationId of failed.toSettle) {
      await send.enqueue(transcriptFetcher.settleOperation, { operationId, charge: 0 });
    }
    const { videoId, language } = fetch;
    const { errorClass, code } = data;
    await send.emit(transcriptFetcher.transcriptFailed, { videoId, language, errorClass, code });
    return failed.answerable;
  });
  for (const operationId of answerable) {
    waiters.wake(operationId);
    messaging.hint(transcriptFetcher.operationEnded, { operationId, state: 'failed' });
  }
  crashPoint('fetch-failed');
}

/** If every route to the platform was closed, or a part of ours failed first, nothing is known of the video. */
const wasAsked = ({ error, inspection }: Failure): boolean =>
  error instanceof PlatformError ? error.wasAsked : inspection !== null;

function failedSelection({ error, inspection }: Failure, now: Date): CachedSelection | null {
  if (!inspection) return null;
  const { tracks, translationsComplete } = inspection;
  return selectionAfter(error.data, { available: languagesOf(tracks), translationsComplete }, now);
}

const failedVideo = (fetch: Fetch, failure: Failure, now: Date) => {
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

function whatWasLearnt(fetch: Fetch, { error, inspection }: Failure): InspectedVideo {
  const learnt = inspection ?? (error instanceof PlatformError ? error : null);
  const tracks = publicTracks(learnt?.tracks ?? []);
  return { video: { ...nothing, ...learnt?.video, id: fetch.videoId }, tracks };
}
