import { setTimeout as pause } from 'node:timers/promises';
import { type ServiceError, serviceError } from '@tds/contracts';
import { isDatabaseAway } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { Begun } from '../store/rows.ts';
import type { Ending } from './ended-fetch.ts';
import { endWithCached, endWithError, endWithFailure, endWithKept, endWithTrack } from './ending.ts';
import { causeOf, failureOf, obtainTrack } from './obtain-track.ts';
import { restoreCues } from './transcript-files.ts';

/** What nobody has foreseen is tried again after these. */
const AGAIN_AFTER_MS = [1_000, 2_000] as const;
/** Of a fetch that was begun so often and never ended: it is what ends its workers. */
const MOST_LOSSES = 3;

type Needed = Pick<Deps, 'platform' | 'objects' | 'files' | 'db' | 'log' | 'now'>;

/**
 * Brings one track for everyone who waits for it. The platform's typed refusals end the fetch at once, because its adapter has tried
 * every route by then; so does its time limit. Rejects if `signal` fires for another reason: then the fetch is another worker's.
 */
export const fetchTrack = async (deps: Needed, begun: Begun, signal: AbortSignal): Promise<Ending> => {
  if (begun.losses > MOST_LOSSES) return endWithError(begun, serviceError('relay_attempt_cap').data);
  const known = await endingOfKnown(deps, begun);
  if (known) return known;
  for (const pauseMs of [...AGAIN_AFTER_MS, null]) {
    try {
      return await obtain(deps, begun, signal);
    } catch (thrown) {
      if (isTimeUp(signal)) return giveUp(deps, begun, signal.reason);
      if (signal.aborted) throw causeOf(thrown);
      const { error, inspection } = failureOf(thrown);
      if (error) return endWithFailure(begun, { error, inspection }, deps.now());
      if (pauseMs === null && !isDatabaseAway(causeOf(thrown))) return giveUp(deps, begun, causeOf(thrown));
      await pause(pauseMs ?? AGAIN_AFTER_MS[0], undefined, { signal });
    }
  }
  return giveUp(deps, begun, 'the database is away');
};

const isTimeUp = ({ reason }: AbortSignal): boolean =>
  reason instanceof Error && reason.name === 'TimeoutError';

/** What has become known while the row waited needs no fetch, unless its cues are lost. */
const endingOfKnown = async ({ objects }: Needed, begun: Begun): Promise<Ending | null> => {
  const { known } = begun;
  if (known.kind === 'failed') return endWithError(begun, known.error.data);
  if (known.kind !== 'hit') return null;
  const { transcript, choice } = known.hit;
  return (await objects.stat(transcript.cuesKey)) ? endWithCached(begun, transcript.id, choice) : null;
};

const obtain = async (deps: Needed, begun: Begun, signal: AbortSignal): Promise<Ending> => {
  const call = { signal, ...(begun.accountId === null ? {} : { callerId: begun.accountId }) };
  const obtained = await obtainTrack(deps, begun, call);
  const { made, transcriptId, isCached } = obtained;
  if (made !== null && !isCached) return endWithTrack(begun, obtained, made, deps.now());
  if (made !== null) await restoreCues(deps, transcriptId, made.cues);
  return endWithKept(begun, obtained, deps.now());
};

const giveUp = ({ log }: Needed, begun: Begun, cause: unknown): Ending => {
  const { fetchId, videoId } = begun;
  log.error('a fetch failed in a way that nobody has foreseen', { fetchId, videoId, error: cause });
  const error: ServiceError = serviceError('relay_attempt_cap', { cause });
  return endWithError(begun, error.data);
};
