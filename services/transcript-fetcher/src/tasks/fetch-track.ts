import { type PayloadOf, serviceError, transcriptFetcher } from '@tds/contracts';
import { onTask, type TaskContext } from '@tds/service-kit';
import { causeOf, failureOf, obtainTrack } from '../application/obtain-track.ts';
import { type BegunFetch, saveDelivery } from '../application/save-delivery.ts';
import { saveFailure } from '../application/save-failure.ts';
import type { Deps } from '../deps.ts';
import { type Fetch, findOpenFetch } from '../store/fetches.ts';
import { findKnownVideos, type KnownVideo } from '../store/videos.ts';

/**
 * Fetches one track for everyone who waits for it. The platform's typed refusals end the fetch at once, because its
 * adapter has tried every route by then; anything unforeseen is tried again until the task's last attempt.
 */
export const fetchTrack = onTask(transcriptFetcher.fetchTrack, async (deps: Deps, payload, task) => {
  const fetch = await openFetchOf(deps, payload, task);
  if (!fetch) return;
  try {
    const call = { signal: task.signal, ...(payload.accountId && { callerId: payload.accountId }) };
    const obtained = await obtainTrack({ ...deps, findKnown: knownBy(deps.sql) }, fetch, call);
    await saveDelivery(deps, fetch, obtained, task);
  } catch (thrown) {
    await endWithError(deps, fetch, thrown, task);
  }
});

/** The first attempt knows what to fetch and that nobody has ended it: the row was opened with the task. */
async function openFetchOf(
  { db }: Deps,
  { fetchId, operationId, wanted }: PayloadOf<typeof transcriptFetcher.fetchTrack>,
  { attempt }: TaskContext,
): Promise<BegunFetch | null> {
  const begunBy = operationId ?? null;
  if (wanted && attempt === 1) return { id: fetchId, begunBy, ...wanted };
  const fetch = await findOpenFetch(db, fetchId);
  return fetch && { ...fetch, begunBy, format: wanted?.format ?? null };
}

async function endWithError(deps: Deps, fetch: Fetch, thrown: unknown, task: TaskContext): Promise<void> {
  const { error, inspection } = failureOf(thrown);
  if (task.signal.aborted || (error === null && !task.isLastAttempt)) throw causeOf(thrown);
  const failure = {
    error: error ?? serviceError('relay_attempt_cap', { cause: causeOf(thrown) }),
    ...{ inspection, isUnforeseen: error === null },
  };
  await saveFailure(deps, fetch, failure, task);
}

const knownBy =
  (sql: Deps['sql']) =>
  async (videoId: string): Promise<KnownVideo> => {
    const [known] = await findKnownVideos(sql, [videoId]);
    if (!known) throw new Error('a statement without a row source answered no row');
    return known;
  };
