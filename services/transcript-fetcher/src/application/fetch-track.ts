import { setTimeout as pause } from 'node:timers/promises';
import { type ServiceError, type ServiceErrorData, serviceError, type VideoDetails } from '@tds/contracts';
import { isDatabaseAway } from '@tds/service-kit';
import { PlatformError, type VideoInspection } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { type CachedSelection, type Choice, REFUSAL_MEMORY_MS } from '../domain/transcript.ts';
import { factOf, selectionAfter, statusAfter } from '../domain/video-facts.ts';
import type { Begun } from '../store/rows.ts';
import { failedVideoRow, fetchedVideoRow, type InspectedVideo, type VideoRow } from '../store/transcripts.ts';
import type { MadeTrack } from './make-track.ts';
import {
  causeOf,
  failureOf,
  languagesOf,
  type ObtainedTrack,
  obtainTrack,
  publicTracks,
} from './obtain-track.ts';
import { restoreCues } from './track-files.ts';
import type { Ending } from './worker.ts';

type FetchFailure = {
  readonly error: ServiceError;
  /** What was learnt of the video before one language of it failed. */
  readonly inspection: VideoInspection | null;
};

/** What a failure says of one language of a video, or else of the video. */
export function learntFrom(
  videoId: string,
  failure: FetchFailure,
  now: Date,
): { readonly selection: CachedSelection | null; readonly video: VideoRow | null } {
  const selection = failedSelection(failure, now);
  const video = selection === null && wasAsked(failure) ? failedVideo(videoId, failure, now) : null;
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

const failedVideo = (videoId: string, failure: FetchFailure, now: Date): VideoRow => {
  const { error } = failure;
  return failedVideoRow({
    ...whatWasLearnt(videoId, failure),
    status: statusAfter(error.data),
    errorClass: error.errorClass,
    fact: error instanceof PlatformError ? factOf(error.data, error.fact, now) : null,
    now,
  });
};

const nothing: Omit<VideoDetails, 'id'> = {
  title: null,
  channel_id: null,
  channel_title: null,
  published_at: null,
  duration: null,
};

function whatWasLearnt(videoId: string, { error, inspection }: FetchFailure): InspectedVideo {
  const learnt = inspection ?? (error instanceof PlatformError ? error : null);
  const tracks = publicTracks(learnt?.tracks ?? []);
  return { video: { ...nothing, ...learnt?.video, id: videoId }, tracks };
}

const emptyEnd = {
  brought: null,
  file: null,
  cachedId: null,
  error: null,
  choice: null,
  selection: null,
  video: null,
} as const;

const headOf = ({ fetchId, videoId, language }: Begun) => ({ fetchId, videoId, language });

/** The track has been cached meanwhile, or was before under another language. */
const endWithCached = (begun: Begun, cachedId: string, choice: Choice): Ending => ({
  end: { ...headOf(begun), ...emptyEnd, cachedId, choice },
  objects: [],
  rendered: null,
});

const endWithError = (begun: Begun, error: ServiceErrorData): Ending => ({
  end: { ...headOf(begun), ...emptyEnd, error },
  objects: [],
  rendered: null,
});

/** With what the failure says of the video or of one language of it. */
const endWithFailure = (begun: Begun, failure: FetchFailure, now: Date): Ending => {
  const ending = endWithError(begun, failure.error.data);
  return { ...ending, end: { ...ending.end, ...learntFrom(begun.videoId, failure, now) } };
};

/** What the language leads to, whether or not its track is new. */
const learnt = ({ inspection, video, choice, track }: ObtainedTrack, now: Date) => {
  const { isFallback, translation } = choice;
  const expiresAt = translation === 'refused' ? new Date(now.getTime() + REFUSAL_MEMORY_MS) : null;
  const inspected = { video, tracks: publicTracks(inspection.tracks) };
  return {
    choice: { isFallback, translation },
    selection: { isFallback, translation, available: languagesOf(inspection.tracks), expiresAt },
    video: fetchedVideoRow(inspected, track, now),
  };
};

/** A track that was cached before, and is what the language leads to. */
const endWithKept = (begun: Begun, obtained: ObtainedTrack, now: Date): Ending => ({
  end: { ...headOf(begun), ...emptyEnd, ...learnt(obtained, now), cachedId: obtained.transcriptId },
  objects: [],
  rendered: null,
});

/** A new track: its cues, and the file in the format that is waited for. */
const endWithTrack = (
  begun: Begun,
  obtained: ObtainedTrack,
  { cues, cueCount, rendered }: MadeTrack,
  now: Date,
): Ending => {
  const { track, transcriptId, video, inspection } = obtained;
  const identified = { ...track, id: transcriptId, video, strategy: inspection.strategy };
  const brought = { ...identified, cuesKey: cues.key, cachedAt: now, cueCount };
  return {
    end: { ...headOf(begun), ...emptyEnd, ...learnt(obtained, now), brought, file: rendered.file },
    objects: [cues, rendered.packed],
    rendered,
  };
};

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
