import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseAway } from '@tds/base';
import { COLD_WAIT_MS, unknownVideo } from '@tds/contracts';
import { type ServiceError, type ServiceErrorData, serviceError } from '@tds/errors';
import { PlatformError, type VideoInspection } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { type CachedSelection, REFUSAL_TTL_MS } from '../domain/transcript.ts';
import { endOutdatedSelections, nextCheckAt, rankTrack } from '../fetches/later-captions.ts';
import type { StartedFetch } from '../fetches/store/rows.ts';
import type { FetchResult } from '../fetches/worker.ts';
import { selectionAfter, statusAfter, toNegativeFact } from './domain/video-facts.ts';
import type { MadeTrack } from './make-track.ts';
import {
  causeOf,
  listLanguageCodes,
  type ObtainedTrack,
  obtainTrack,
  publicTracks,
  toFailure,
  toInspectedVideo,
} from './obtain-track.ts';
import { type InspectedVideo, type VideoRow, videoRow } from './store/transcripts.ts';
import { restoreCues } from './track-files.ts';

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
  return selectionAfter(error.data, { available: listLanguageCodes(tracks), translationsComplete }, now);
}

const failedVideo = (videoId: string, failure: FetchFailure, now: Date): VideoRow => {
  const { error } = failure;
  const findings = {
    status: statusAfter(error.data),
    errorClass: error.errorClass,
    fact: error instanceof PlatformError ? toNegativeFact(error.data, error.fact, now) : null,
    fetchedAt: now,
  };
  return videoRow(describeVideo(videoId, failure), findings, now);
};

function describeVideo(videoId: string, { error, inspection }: FetchFailure): InspectedVideo {
  const source = inspection ?? (error instanceof PlatformError ? error : null);
  const inspectedVideo = inspection && toInspectedVideo(inspection);
  return {
    video: { ...(source?.video ?? unknownVideo(videoId)), id: videoId },
    tracks: inspectedVideo?.tracks ?? publicTracks(source?.tracks ?? []),
    languages: inspectedVideo?.languages ?? null,
  };
}

/** The result of a fetch; with `madeTrack`, its objects and the file that its read waits for. */
const buildResult = (
  { fetchId, videoId, language }: StartedFetch,
  outcome: Partial<FetchResult['end']>,
  madeTrack: MadeTrack | null = null,
): FetchResult => ({
  end: {
    fetchId,
    videoId,
    language,
    track: null,
    file: null,
    cachedId: null,
    error: null,
    choice: null,
    selection: null,
    video: null,
    ...outcome,
  },
  objects: madeTrack ? [madeTrack.cues, madeTrack.rendered.packed] : [],
  rendered: madeTrack?.rendered ?? null,
});

/** The selection and the video, whether or not the track is new. */
const collectFacts = (language: string, { inspection, video, choice, track }: ObtainedTrack, now: Date) => {
  const { isFallback, translation } = choice;
  const expiresAt =
    translation === 'refused'
      ? new Date(now.getTime() + REFUSAL_TTL_MS)
      : nextCheckAt(rankTrack(language, choice, track), video.published_at, now);
  const inspectedVideo = { ...toInspectedVideo(inspection), video };
  return {
    choice: { isFallback, translation },
    selection: { isFallback, translation, available: listLanguageCodes(inspection.tracks), expiresAt },
    video: videoRow(inspectedVideo, { status: 'fetched', selected: track, fetchedAt: now }, now),
  };
};

const buildTrackResult = (
  fetch: StartedFetch,
  obtained: ObtainedTrack,
  madeTrack: MadeTrack,
  now: Date,
): FetchResult => {
  const { track, transcriptId: id, video, inspection } = obtained;
  const { cues, measures, rendered } = madeTrack;
  const { strategy } = inspection;
  const newTrack = { ...track, id, video, strategy, cuesKey: cues.key, cachedAt: now, measures };
  return buildResult(
    fetch,
    { ...collectFacts(fetch.language, obtained, now), track: newTrack, file: rendered.file },
    madeTrack,
  );
};

/** Waits before retries of unexpected errors. */
const RETRY_DELAYS_MS = [1_000, 2_000] as const;
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

/** The longest wait before the second reservation; without a hint from the platform, a short one. */
const MAX_RESERVATION_WAIT_S = 30;
const RESERVATION_WAIT_S = 10;

/**
 * The wait before the platform is asked again; null if the result is final. A caller that still waits retries by itself, and a job retries
 * its rows; but a caller with a 202 polls for this fetch, and the trouble may be over.
 */
const waitForSecondReservation = (
  { priority }: StartedFetch,
  { end }: FetchResult,
  elapsedMs: number,
): number | null => {
  const { error } = end;
  if (error === null || priority !== 'reads' || elapsedMs < COLD_WAIT_MS) return null;
  const isOfRoute = isRouteFault(error);
  const waitS = error.retryAfterSeconds ?? RESERVATION_WAIT_S;
  const isWorthIt = isOfRoute && error.retryable;
  return isWorthIt && waitS <= MAX_RESERVATION_WAIT_S ? waitS * 1_000 : null;
};

type FetchDeps = Pick<Deps, 'platform' | 'objects' | 'files' | 'db' | 'sql' | 'log' | 'now'>;

/**
 * Fetches one track for all operations that wait for it. Typed refusals of the platform end a reservation at once, because the adapter has
 * tried every route; the time limit ends the fetch. Rejects if `signal` fires for another reason: then another worker takes over.
 */
export const fetchTrack = async (
  deps: FetchDeps,
  fetch: StartedFetch,
  signal: AbortSignal,
): Promise<FetchResult> => {
  if (fetch.losses > MAX_LOSSES) return buildResult(fetch, { error: serviceError('relay_attempt_cap').data });
  const cachedResult = await findCachedResult(deps, fetch);
  if (cachedResult) return cachedResult;
  const startedAt = deps.now().getTime();
  const result = await tryReservation(deps, fetch, signal);
  const waitMs = waitForSecondReservation(fetch, result, deps.now().getTime() - startedAt);
  if (waitMs === null) return result;
  await pause(waitMs, undefined, { signal });
  return await tryReservation(deps, fetch, signal);
};

const tryReservation = async (
  deps: FetchDeps,
  fetch: StartedFetch,
  signal: AbortSignal,
): Promise<FetchResult> => {
  for (const pauseMs of [...RETRY_DELAYS_MS, null]) {
    try {
      return await obtain(deps, fetch, signal);
    } catch (thrown) {
      if (isTimeUp(signal)) return giveUp(deps, fetch, signal.reason);
      if (signal.aborted) throw causeOf(thrown);
      const { error, inspection } = toFailure(thrown);
      if (error) {
        const facts = factsFrom(fetch.videoId, { error, inspection }, deps.now());
        return buildResult(fetch, { error: error.data, ...facts });
      }
      if (pauseMs === null && !isDatabaseAway(causeOf(thrown))) return giveUp(deps, fetch, causeOf(thrown));
      await pause(pauseMs ?? RETRY_DELAYS_MS[0], undefined, { signal });
    }
  }
  return giveUp(deps, fetch, 'the database is away');
};

const isTimeUp = ({ reason }: AbortSignal): boolean =>
  reason instanceof Error && reason.name === 'TimeoutError';

/** A track that became known while the row waited needs no fetch, unless its cues are lost. */
const findCachedResult = async ({ objects }: FetchDeps, fetch: StartedFetch): Promise<FetchResult | null> => {
  const { cacheAnswer } = fetch;
  if (cacheAnswer.kind === 'failed') return buildResult(fetch, { error: cacheAnswer.error.data });
  if (cacheAnswer.kind !== 'hit') return null;
  const { transcript, choice } = cacheAnswer.hit;
  return (await objects.stat(transcript.cuesKey))
    ? buildResult(fetch, { cachedId: transcript.id, choice })
    : null;
};

const obtain = async (deps: FetchDeps, fetch: StartedFetch, signal: AbortSignal): Promise<FetchResult> => {
  const call = { signal, ...(fetch.accountId === null ? {} : { callerId: fetch.accountId }) };
  const obtained = await obtainTrack(deps, fetch, call);
  const { madeTrack, transcriptId, isCached } = obtained;
  if (fetch.tracks.length > 0 || fetch.cacheAnswer.kind === 'refresh')
    await endOutdatedSelections(deps, obtained.inspection, fetch.language);
  if (madeTrack !== null && !isCached) return buildTrackResult(fetch, obtained, madeTrack, deps.now());
  if (madeTrack !== null) await restoreCues(deps, transcriptId, madeTrack.cues);
  return buildResult(fetch, {
    ...collectFacts(fetch.language, obtained, deps.now()),
    cachedId: transcriptId,
  });
};

const giveUp = ({ log }: FetchDeps, fetch: StartedFetch, cause: unknown): FetchResult => {
  const { fetchId, videoId } = fetch;
  log.error('a fetch failed unexpectedly', { fetchId, videoId, error: cause });
  return buildResult(fetch, { error: serviceError('relay_attempt_cap', { cause }).data });
};
