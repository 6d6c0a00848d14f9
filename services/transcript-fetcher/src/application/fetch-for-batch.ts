import { type PayloadOf, transcriptFetcher } from '@tds/contracts';
import { isDatabaseAway, type TaskContext } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { type Fetch, handOver } from '../store/fetches.ts';
import { type FetchFailure, learntFrom } from './learnt-from-failure.ts';
import { failureOf, type ObtainedTrack, obtainTrack } from './obtain-track.ts';
import { deliveryOf, packTrack } from './pack-track.ts';
import { restoreCues } from './transcript-files.ts';

type Asked = Pick<PayloadOf<typeof transcriptFetcher.fetchTracks>, 'accountId' | 'format'>;

/** Fetches one track when it is its account's turn, and ends it together with others. */
export async function fetchForBatch(
  deps: Deps,
  asked: Asked,
  fetch: Fetch,
  { signal }: Pick<TaskContext, 'signal'>,
): Promise<void> {
  const obtained = await obtainInTurn(deps, asked, fetch, signal);
  try {
    if ('choice' in obtained) return await deliver(deps, asked, fetch, obtained);
    signal.throwIfAborted();
    const { error, inspection } = obtained;
    if (error !== null) return await fail(deps, fetch, { error, inspection });
  } catch (error) {
    if (signal.aborted || isDatabaseAway(error)) throw error;
    deps.log.warn('a fetch of a batch could not be saved', { fetchId: fetch.id, error });
  }
  await handOverFetch(deps, asked, fetch);
}

async function obtainInTurn(
  deps: Deps,
  { accountId }: Asked,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<ObtainedTrack | ReturnType<typeof failureOf>> {
  const endTurn = await deps.turns.take(accountId, signal);
  try {
    return await obtainTrack(deps, fetch, { signal, callerId: accountId });
  } catch (thrown) {
    return failureOf(thrown);
  } finally {
    endTurn();
  }
}

async function deliver(
  deps: Deps,
  { format }: Asked,
  fetch: Fetch,
  { cues, ...obtained }: ObtainedTrack,
): Promise<void> {
  const now = deps.now();
  const isNew = cues !== null && obtained.cachedId === null;
  const packed = isNew ? await packTrack(obtained, { format, cues, cachedAt: now }) : null;
  if (cues !== null && obtained.cachedId !== null) await restoreCues(deps, obtained.cachedId, cues);
  const delivery = deliveryOf(fetch, obtained, packed, now);
  await deps.endTogether.deliver({ delivery, objects: packed?.objects ?? [] });
}

async function fail({ endTogether, now }: Deps, fetch: Fetch, failure: FetchFailure): Promise<void> {
  await endTogether.fail({ fetch, error: failure.error.data, ...learntFrom(fetch, failure, now()) });
}

/** What nobody has foreseen gets a task of its own, with attempts and a dead letter of its own. */
async function handOverFetch(
  { db, messaging }: Pick<Deps, 'db' | 'messaging'>,
  { accountId, format }: Asked,
  fetch: Fetch,
): Promise<void> {
  const { id: fetchId, videoId, language, fallback } = fetch;
  const wanted = { videoId, language, fallback, format };
  await messaging.transaction(db, async (tx, send) => {
    if (!(await handOver(tx, fetchId))) return;
    await send.enqueue(transcriptFetcher.fetchTrack, { fetchId, accountId, wanted });
  });
}
