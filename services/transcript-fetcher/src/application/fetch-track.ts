import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseAway } from '@tds/base';
import { COLD_WAIT_MS, unknownVideo } from '@tds/contracts';
import { type ServiceError, type ServiceErrorData, serviceError } from '@tds/errors';
import { PlatformError, type VideoInspection } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { LANES } from '../domain/operation.ts';
import { type CachedSelection, REFUSAL_MEMORY_MS } from '../domain/transcript.ts';
import { factOf, selectionAfter, statusAfter } from '../domain/video-facts.ts';
import type { StartedFetch } from '../store/rows.ts';
import { failedVideoRow, fetchedVideoRow, type InspectedVideo, type VideoRow } from '../store/transcripts.ts';
import { endOutdone, lookAgainAt, rankOf } from './later-captions.ts';
import type { MadeTrack } from './make-track.ts';
import {
  causeOf,
  failureOf,
  inspectedOf,
  languagesOf,
  type ObtainedTrack,
  obtainTrack,
  publicTracks,
} from './obtain-track.ts';
import { restoreCues } from './track-files.ts';
import type { FetchResult } from './worker.ts';

type FetchFailure = {
  readonly error: ServiceError;
  /** Null if the video itself could not be inspected. */
  readonly inspection: VideoInspection | null;
};

/** Assigns a failure to one language of a video, or else to the video. */
export function factsFrom(
  videoId: string,
  failure: FetchFailure,
  now: Date,
): { readonly selection: CachedSelection | null; readonly video: VideoRow | null } {
  const selection = failedSelection(failure, now);
  const video = selection === null && wasAsked(failure) ? failedVideo(videoId, failure, now) : null;
  return { selection, video };
}

/** If every route was closed, or our own code failed first, the failure says nothing about the video. */
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
    ...inspectedVideoOf(videoId, failure),
    status: statusAfter(error.data),
    errorClass: error.errorClass,
    fact: error instanceof PlatformError ? factOf(error.data, error.fact, now) : null,
    now,
  });
};

function inspectedVideoOf(videoId: string, { error, inspection }: FetchFailure): InspectedVideo {
  const source = inspection ?? (error instanceof PlatformError ? error : null);
  const inspected = inspection && inspectedOf(inspection);
  return {
    video: { ...(source?.video ?? unknownVideo(videoId)), id: videoId },
    tracks: inspected?.tracks ?? publicTracks(source?.tracks ?? []),
    languages: inspected?.languages ?? null,
  };
}

/** The result of a fetch; with `made`, its objects and the file that its read waits for. */
const resultOf = (
  { fetchId, videoId, language }: StartedFetch,
  outcome: Partial<FetchResult['end']>,
  made: MadeTrack | null = null,
): FetchResult => ({
  end: {
    fetchId,
    videoId,
    language,
    brought: null,
    file: null,
    cachedId: null,
    error: null,
    choice: null,
    selection: null,
    video: null,
    ...outcome,
  },
  objects: made ? [made.cues, made.rendered.packed] : [],
  rendered: made?.rendered ?? null,
});

/** The selection and the video, whether or not the track is new. */
const factsOf = (language: string, { inspection, video, choice, track }: ObtainedTrack, now: Date) => {
  const { isFallback, translation } = choice;
  const expiresAt =
    translation === 'refused'
      ? new Date(now.getTime() + REFUSAL_MEMORY_MS)
      : lookAgainAt(rankOf(language, choice, track), video.published_at, now);
  const inspected = { ...inspectedOf(inspection), video };
  return {
    choice: { isFallback, translation },
    selection: { isFallback, translation, available: languagesOf(inspection.tracks), expiresAt },
    video: fetchedVideoRow(inspected, track, now),
  };
};

const resultOfTrack = (
  begun: StartedFetch,
  obtained: ObtainedTrack,
  made: MadeTrack,
  now: Date,
): FetchResult => {
  const { track, transcriptId: id, video, inspection } = obtained;
  const { cues, measures, rendered } = made;
  const { strategy } = inspection;
  const brought = { ...track, id, video, strategy, cuesKey: cues.key, cachedAt: now, measures };
  return resultOf(begun, { ...factsOf(begun.language, obtained, now), brought, file: rendered.file }, made);
};

/** Waits before retries of unexpected errors. */
const AGAIN_AFTER_MS = [1_000, 2_000] as const;
/** With more dead workers than this, the fetch itself is the likely cause. */
const MAX_LOSSES = 3;

const ROUTE_CLASSES: ReadonlySet<string> = new Set([
  'IpBlocked',
  'RateLimited',
  'UpstreamError',
  'PoTokenRequired',
]);

/** A fault of the way to the platform, not of the video. */
export const isRouteFault = (error: ServiceErrorData | null): boolean =>
  error !== null && ROUTE_CLASSES.has(error.errorClass) && error.code !== 'translation_refused';

/** The longest wait before the second round; without a hint from the platform, a short one. */
const MAX_ROUND_WAIT_S = 30;
const ROUND_WAIT_S = 10;

/**
 * The wait before the platform is asked again; null if the result is final. A caller that still waits retries by itself, and a job retries
 * its rows; but a caller with a 202 polls for this fetch, and the trouble may be over.
 */
const waitForSecondRound = (
  { lane }: StartedFetch,
  { end }: FetchResult,
  elapsedMs: number,
): number | null => {
  const { error } = end;
  if (error === null || lane !== LANES.reads || elapsedMs < COLD_WAIT_MS) return null;
  const isOfRoute = isRouteFault(error);
  const waitS = error.retryAfterSeconds ?? ROUND_WAIT_S;
  const isWorthIt = isOfRoute && error.retryable;
  return isWorthIt && waitS <= MAX_ROUND_WAIT_S ? waitS * 1_000 : null;
};

type FetchDeps = Pick<Deps, 'platform' | 'objects' | 'files' | 'db' | 'sql' | 'log' | 'now'>;

/**
 * Fetches one track for all operations that wait for it. Typed refusals of the platform end a round at once, because the adapter has
 * tried every route; the time limit ends the fetch. Rejects if `signal` fires for another reason: then another worker takes over.
 */
export const fetchTrack = async (
  deps: FetchDeps,
  begun: StartedFetch,
  signal: AbortSignal,
): Promise<FetchResult> => {
  if (begun.losses > MAX_LOSSES) return resultOf(begun, { error: serviceError('relay_attempt_cap').data });
  const known = await resultOfKnown(deps, begun);
  if (known) return known;
  const startedAt = deps.now().getTime();
  const result = await tryRound(deps, begun, signal);
  const waitMs = waitForSecondRound(begun, result, deps.now().getTime() - startedAt);
  if (waitMs === null) return result;
  await pause(waitMs, undefined, { signal });
  return await tryRound(deps, begun, signal);
};

const tryRound = async (deps: FetchDeps, begun: StartedFetch, signal: AbortSignal): Promise<FetchResult> => {
  for (const pauseMs of [...AGAIN_AFTER_MS, null]) {
    try {
      return await obtain(deps, begun, signal);
    } catch (thrown) {
      if (isTimeUp(signal)) return giveUp(deps, begun, signal.reason);
      if (signal.aborted) throw causeOf(thrown);
      const { error, inspection } = failureOf(thrown);
      if (error) {
        const known = factsFrom(begun.videoId, { error, inspection }, deps.now());
        return resultOf(begun, { error: error.data, ...known });
      }
      if (pauseMs === null && !isDatabaseAway(causeOf(thrown))) return giveUp(deps, begun, causeOf(thrown));
      await pause(pauseMs ?? AGAIN_AFTER_MS[0], undefined, { signal });
    }
  }
  return giveUp(deps, begun, 'the database is away');
};

const isTimeUp = ({ reason }: AbortSignal): boolean =>
  reason instanceof Error && reason.name === 'TimeoutError';

/** A track that became known while the row waited needs no fetch, unless its cues are lost. */
const resultOfKnown = async ({ objects }: FetchDeps, begun: StartedFetch): Promise<FetchResult | null> => {
  const { known } = begun;
  if (known.kind === 'failed') return resultOf(begun, { error: known.error.data });
  if (known.kind !== 'hit') return null;
  const { transcript, choice } = known.hit;
  return (await objects.stat(transcript.cuesKey))
    ? resultOf(begun, { cachedId: transcript.id, choice })
    : null;
};

const obtain = async (deps: FetchDeps, begun: StartedFetch, signal: AbortSignal): Promise<FetchResult> => {
  const call = { signal, ...(begun.accountId === null ? {} : { callerId: begun.accountId }) };
  const obtained = await obtainTrack(deps, begun, call);
  const { made, transcriptId, isCached } = obtained;
  if (begun.tracks.length > 0 || begun.known.kind === 'refresh')
    await endOutdone(deps, obtained.inspection, begun.language);
  if (made !== null && !isCached) return resultOfTrack(begun, obtained, made, deps.now());
  if (made !== null) await restoreCues(deps, transcriptId, made.cues);
  return resultOf(begun, { ...factsOf(begun.language, obtained, deps.now()), cachedId: transcriptId });
};

const giveUp = ({ log }: FetchDeps, begun: StartedFetch, cause: unknown): FetchResult => {
  const { fetchId, videoId } = begun;
  log.error('a fetch failed unexpectedly', { fetchId, videoId, error: cause });
  return resultOf(begun, { error: serviceError('relay_attempt_cap', { cause }).data });
};
