import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseAway } from '@tds/base';
import { COLD_WAIT_MS, unknownVideo } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import { PlatformError, type VideoInspection } from '@tds/video-platform';
import { isRouteFault, type StartedFetch } from '../domain/fetch.ts';
import { type CachedSelection, REFUSAL_TTL_MS, strictError } from '../domain/transcript.ts';
import { endOutdatedSelections, nextCheckAt, rankTrack } from './better-tracks.ts';
import { selectionAfter, statusAfter, toNegativeFact } from './domain/video-facts.ts';
import type { FetchResult } from './fetch-result.ts';
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
import { type VideoRow, videoRow } from './store/transcripts.ts';
import { restoreCues, type TrackDeps } from './track-files.ts';

type FetchFailure = {
  readonly error: ServiceError;
  /** Null if the video itself could not be inspected. */
  readonly inspection: VideoInspection | null;
};
type FailureFacts = { readonly selection: CachedSelection | null; readonly video: VideoRow | null };

/** Assigns a failure to one language of a video, or else to the video. */
export function factsFrom(videoId: string, failure: FetchFailure, now: Date): FailureFacts {
  const { error, inspection } = failure;
  const available = listLanguageCodes(inspection?.tracks ?? []);
  const selection = inspection && selectionAfter(error.data, { ...inspection, available }, now);
  const video = selection === null && wasAsked(failure) ? failedVideo(videoId, failure, now) : null;
  return { selection, video };
}

/** As the cache answers it from now on. */
const errorFrom = (error: ServiceError, { selection, video }: FailureFacts, now: Date) =>
  selection?.translation === 'unavailable' ? strictError(selection, now).data : (video?.fact ?? error.data);

/** If every route was closed, or our own code failed first, the failure says nothing about the video. */
const wasAsked = ({ error, inspection }: FetchFailure): boolean =>
  error instanceof PlatformError ? error.wasAsked : inspection !== null;

const failedVideo = (videoId: string, { error, inspection }: FetchFailure, now: Date): VideoRow => {
  const ofPlatform = error instanceof PlatformError ? error : null;
  const source = inspection ?? ofPlatform;
  const inspectedVideo = {
    video: { ...(source?.video ?? unknownVideo(videoId)), id: videoId },
    tracks: publicTracks(source?.tracks ?? []),
    languages: inspection && toInspectedVideo(inspection).languages,
  };
  const findings = {
    status: statusAfter(error.data),
    errorClass: error.errorClass,
    fact: ofPlatform && toNegativeFact(error.data, ofPlatform.fact, now),
    fetchedAt: now,
  };
  return videoRow(inspectedVideo, findings, now);
};

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
  const facts = collectFacts(fetch.language, obtained, now);
  return buildResult(fetch, { ...facts, track: newTrack, file: rendered.file }, madeTrack);
};

/** Waits before retries of unexpected errors. */
const RETRY_DELAYS_MS = [1_000, 2_000] as const;
/** With more dead workers than this, the fetch itself is the likely cause. */
const MAX_LOSSES = 3;

/** The longest wait before the platform is asked a second time; without a hint from it, a short one. */
const MAX_SECOND_TRY_WAIT_S = 30;
const SECOND_TRY_WAIT_S = 10;

/**
 * The wait before the platform is asked again; null if the result is final. A caller that still waits retries by itself, and a job retries
 * its rows; but a caller with a 202 polls for this fetch, and the trouble may be over.
 */
const waitForSecondTry = (
  { priority }: StartedFetch,
  { end }: FetchResult,
  elapsedMs: number,
): number | null => {
  const { error } = end;
  if (priority !== 'reads' || elapsedMs < COLD_WAIT_MS || !error?.retryable || !isRouteFault(error))
    return null;
  const waitS = error.retryAfterSeconds ?? SECOND_TRY_WAIT_S;
  return waitS <= MAX_SECOND_TRY_WAIT_S ? waitS * 1_000 : null;
};

/**
 * Fetches one track for all operations that wait for it. Typed refusals of the platform end a try at once, because the adapter has
 * tried every route; the time limit ends the fetch. Rejects if `signal` fires for another reason: then another worker takes over.
 */
export const fetchTrack = async (
  deps: TrackDeps,
  fetch: StartedFetch,
  signal: AbortSignal,
): Promise<FetchResult> => {
  if (fetch.losses > MAX_LOSSES) return buildResult(fetch, { error: serviceError('relay_attempt_cap').data });
  const cachedResult = await findCachedResult(deps, fetch);
  if (cachedResult) return cachedResult;
  const startedAt = deps.now().getTime();
  const result = await obtainOrFail(deps, fetch, signal);
  const waitMs = waitForSecondTry(fetch, result, deps.now().getTime() - startedAt);
  if (waitMs === null) return result;
  await delay(waitMs, undefined, { signal });
  return await obtainOrFail(deps, fetch, signal);
};

const obtainOrFail = async (
  deps: TrackDeps,
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
        const now = deps.now();
        const facts = factsFrom(fetch.videoId, { error, inspection }, now);
        return buildResult(fetch, { error: errorFrom(error, facts, now), ...facts });
      }
      if (pauseMs === null && !isDatabaseAway(causeOf(thrown))) return giveUp(deps, fetch, causeOf(thrown));
      await delay(pauseMs ?? RETRY_DELAYS_MS[0], undefined, { signal });
    }
  }
  return giveUp(deps, fetch, 'the database is away');
};

const isTimeUp = ({ reason }: AbortSignal): boolean =>
  reason instanceof Error && reason.name === 'TimeoutError';

/** A track that became known while the row waited needs no fetch, unless its cues are lost. */
const findCachedResult = async ({ objects }: TrackDeps, fetch: StartedFetch): Promise<FetchResult | null> => {
  const { cacheAnswer } = fetch;
  if (cacheAnswer.kind === 'failed') return buildResult(fetch, { error: cacheAnswer.error.data });
  if (cacheAnswer.kind !== 'hit') return null;
  const { transcript, choice } = cacheAnswer.hit;
  return (await objects.stat(transcript.cuesKey))
    ? buildResult(fetch, { cachedId: transcript.id, choice })
    : null;
};

const obtain = async (deps: TrackDeps, fetch: StartedFetch, signal: AbortSignal): Promise<FetchResult> => {
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

const giveUp = ({ log }: TrackDeps, fetch: StartedFetch, cause: unknown): FetchResult => {
  const { fetchId, videoId } = fetch;
  log.error('a fetch failed unexpectedly', { fetchId, videoId, error: cause });
  return buildResult(fetch, { error: serviceError('relay_attempt_cap', { cause }).data });
};
