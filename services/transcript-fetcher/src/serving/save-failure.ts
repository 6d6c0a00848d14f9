import { type CaptionTrack, type ServiceError, transcriptFetcher, type VideoDetails } from '@tds/contracts';
import { crashPoint, type TaskContext } from '@tds/service-kit';
import { PlatformError, type VideoInspection } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { factOf, selectionAfter, statusAfter } from '../domain/failure.ts';
import { endFetch, type Fetch } from '../store/fetches.ts';
import { failOperations } from '../store/operations.ts';
import { saveSelection } from '../store/transcripts.ts';
import { saveFailedVideo } from '../store/videos.ts';
import { languagesOf, publicTracks } from './platform-tracks.ts';

type Failure = {
  readonly error: ServiceError;
  readonly inspection: VideoInspection | null;
  /** A defect of ours rather than an answer of the platform: leaves a dead letter. */
  readonly isUnforeseen: boolean;
};

/** In one transaction: what the failure tells about the video, and every operation's end. */
export async function saveFailure(
  deps: Deps,
  fetch: Fetch,
  failure: Failure,
  task: TaskContext,
): Promise<void> {
  const { data } = failure.error;
  const learnt = whatWasLearnt(fetch, failure);
  const now = deps.clock();
  await deps.kit.messaging.transaction(deps.db, async (tx, send) => {
    await (failure.isUnforeseen ? task.bury(tx, String(failure.error.cause)) : task.complete(tx));
    const selection =
      failure.inspection &&
      selectionAfter(
        data,
        {
          available: languagesOf(failure.inspection.tracks),
          translationsComplete: failure.inspection.translationsComplete,
        },
        now,
      );
    if (selection) await saveSelection(tx, { ...fetch, transcriptId: null }, selection);
    else if (wasAsked(failure))
      await saveFailedVideo(tx, learnt.video, failedVideo(failure, learnt.tracks, now));
    if (!(await endFetch(tx, fetch.id, 'failed'))) return;
    for (const operationId of await failOperations(tx, fetch.id, data)) {
      await send.enqueue(transcriptFetcher.settleOperation, { operationId, charge: 0 });
    }
    const { videoId, language } = fetch;
    await send.emit(transcriptFetcher.transcriptFailed, {
      videoId,
      language,
      errorClass: data.errorClass,
      code: data.code,
    });
  });
  crashPoint('fetch-failed');
}

/** Where every route to the platform was closed, or a part of ours failed first, nothing is known of the video. */
const wasAsked = ({ error, inspection }: Failure): boolean =>
  error instanceof PlatformError ? error.wasAsked : inspection !== null;

const failedVideo = ({ error }: Failure, tracks: readonly CaptionTrack[], now: Date) => ({
  status: statusAfter(error.data),
  errorClass: error.errorClass,
  fact: error instanceof PlatformError ? factOf(error.data, error.fact, now) : null,
  tracks,
  now,
});

function whatWasLearnt(
  fetch: Fetch,
  { error, inspection }: Failure,
): { video: VideoDetails; tracks: CaptionTrack[] } {
  const video = inspection?.video ?? (error instanceof PlatformError ? error.video : null);
  const tracks = inspection?.tracks ?? (error instanceof PlatformError ? error.tracks : []);
  const nothing = { title: null, channel_id: null, channel_title: null, published_at: null, duration: null };
  return { video: { ...nothing, ...video, id: fetch.videoId }, tracks: publicTracks(tracks) };
}
