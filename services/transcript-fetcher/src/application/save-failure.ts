import { transcriptFetcher } from '@tds/contracts';
import { crashPoint, type TaskContext } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { type Fetch, failFetch } from '../store/fetches.ts';
import { failOperations } from '../store/operations.ts';
import { saveSelection } from '../store/transcripts.ts';
import { saveFailedVideo } from '../store/videos.ts';
import { type FetchFailure, learntFrom } from './learnt-from-failure.ts';

type Failure = FetchFailure & {
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
  const { selection, video } = learntFrom(fetch, failure, now());
  const answerable = await messaging.transaction(db, async (tx, send) => {
    await (failure.isUnforeseen ? task.bury(tx, String(cause)) : task.complete(tx));
    if (selection) await saveSelection(tx, { ...fetch, transcriptId: null }, selection);
    if (video) await saveFailedVideo(tx, video);
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
