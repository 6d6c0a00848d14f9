import { randomUUID } from 'node:crypto';
import { withSpan } from '@tds/base';
import { type CaptionTrack, completeVideo, type VideoDetails } from '@tds/contracts';
import { hasCode, ServiceError, serviceError } from '@tds/errors';
import {
  type Call,
  chooseTrack,
  type PlatformTrack,
  type TrackChoice,
  type VideoInspection,
  wordlessYetError,
} from '@tds/video-platform';
import type { StartedFetch } from '../domain/fetch.ts';
import type { TrackIdentity } from '../domain/transcript.ts';
import { rankTrack } from './better-tracks.ts';
import type { MadeTrack } from './make-track.ts';
import type { TrackDeps } from './track-files.ts';

export type ObtainedTrack = {
  readonly inspection: VideoInspection;
  /** With earlier details for those that are missing this time. */
  readonly video: VideoDetails;
  readonly choice: TrackChoice;
  readonly track: TrackIdentity;
  /** Null if the track is cached and its cues exist. */
  readonly madeTrack: MadeTrack | null;
  /** The id of the cached transcript of the same track, if there is one; else a new id. */
  readonly transcriptId: string;
  readonly isCached: boolean;
};

/** A failure after the inspection: the video is known, one language of it failed. */
export class LanguageFailure extends Error {
  readonly inspection: VideoInspection;

  constructor(inspection: VideoInspection, cause: unknown) {
    super('the wanted language could not be obtained', { cause });
    this.inspection = inspection;
  }
}

export const causeOf = (thrown: unknown): unknown =>
  thrown instanceof LanguageFailure ? thrown.cause : thrown;

/** `error` is null for unexpected errors. */
export const toFailure = (
  thrown: unknown,
): { error: ServiceError | null; inspection: VideoInspection | null } => {
  const cause = causeOf(thrown);
  const isTyped = cause instanceof ServiceError && cause.code !== 'unexpected_error';
  return {
    error: isTyped ? cause : null,
    inspection: thrown instanceof LanguageFailure ? thrown.inspection : null,
  };
};

/**
 * Fetches the best track for the wanted language; after a refused translation the fallback, if allowed, and after a track without a word
 * the next best.
 */
export async function obtainTrack(deps: TrackDeps, fetch: StartedFetch, call: Call): Promise<ObtainedTrack> {
  const inspection = await withSpan('platform inspect-video', { kind: 'client' }, () =>
    deps.platform.inspectVideo(fetch.videoId, fetch, call),
  );
  try {
    return await obtainAmong(deps, { inspection, fetch }, inspection.tracks, call);
  } catch (cause) {
    throw new LanguageFailure(inspection, cause);
  }
}

/** More tracks without a word are not tried. */
const MAX_WORDLESS_TRACKS = 3;

async function obtainAmong(
  deps: TrackDeps,
  context: ObtainContext,
  tracks: readonly PlatformTrack[],
  call: Call,
): Promise<ObtainedTrack> {
  const { inspection, fetch } = context;
  const choice = chooseTrack({ ...inspection, tracks }, fetch);
  try {
    return await obtainChoice(deps, context, choice, call);
  } catch (error) {
    const source = choice.fallbackChoice ?? choice;
    const remaining = tracks.filter(({ vssId }) => vssId !== source.track.vssId);
    if (!hasCode(error, 'no_captions')) throw error;
    if (remaining.length === 0) throw wordlessYetError(inspection) ?? error;
    // The others may have words, so this is no fact about the video.
    if (inspection.tracks.length - remaining.length > MAX_WORDLESS_TRACKS) throw serviceError('no_captions');
    return await obtainAmong(deps, context, remaining, call);
  }
}

type ObtainContext = { readonly inspection: VideoInspection; readonly fetch: StartedFetch };

async function obtainChoice(
  deps: TrackDeps,
  context: ObtainContext,
  choice: TrackChoice,
  call: Call,
): Promise<ObtainedTrack> {
  const { inspection, fetch } = context;
  const earlierVideo = videoOf(fetch);
  const video = earlierVideo === null ? inspection.video : completeVideo(inspection.video, earlierVideo);
  const track = trackIdentity(inspection, choice);
  const better = keepBetterTrack({ inspection, video, choice, track }, fetch);
  if (better) return better;
  const cached = findCachedTrack(fetch, track);
  const id = cached?.id ?? randomUUID();
  const obtained = { inspection, choice, track, transcriptId: id, isCached: cached !== null };
  if (cached && (await deps.objects.stat(cached.object_key))) return { ...obtained, video, madeTrack: null };
  const datedVideo = withDate(deps, video, call);
  try {
    const { languageCode, kind } = track;
    const madeTrack = await withSpan('platform fetch-track', { kind: 'client' }, () =>
      deps.platform.fetchTrack(inspection, choice, call, async (body, signal) => {
        const transcript = { id, languageCode, kind, video: await datedVideo };
        return await deps.files.make(body, { transcript, format: fetch.format }, signal);
      }),
    );
    return { ...obtained, video: await datedVideo, madeTrack };
  } catch (error) {
    if (!hasCode(error, 'translation_refused') || !choice.fallbackChoice) throw error;
    return await obtainChoice(deps, context, choice.fallbackChoice, call);
  }
}

/** What a refresh would replace, if that is better than what the platform has by now. */
const keepBetterTrack = <Candidate extends Pick<ObtainedTrack, 'choice' | 'track'>>(
  candidate: Candidate,
  { language, cacheAnswer }: StartedFetch,
) => {
  const current = cacheAnswer.kind === 'refresh' ? cacheAnswer.current : null;
  if (
    !current ||
    rankTrack(language, current.choice, current.transcript) <=
      rankTrack(language, candidate.choice, candidate.track)
  )
    return null;
  const { id: transcriptId, videoId, languageCode, kind } = current.transcript;
  const track = { videoId, languageCode, kind, translated: current.choice.translation === 'served' };
  const choice = { ...candidate.choice, ...current.choice };
  return { ...candidate, choice, track, transcriptId, isCached: true, madeTrack: null };
};

/** Adds the publish date, which files and answers contain, if the client that served the captions did not send it. */
const withDate = async ({ platform }: TrackDeps, video: VideoDetails, call: Call): Promise<VideoDetails> =>
  video.published_at === null
    ? { ...video, published_at: await platform.findPublishDate(video.id, call) }
    : video;

/** The details known before this fetch. */
const videoOf = ({ cacheAnswer, videoId }: StartedFetch): VideoDetails | null => {
  if (cacheAnswer.kind === 'unknown' || cacheAnswer.kind === 'refresh') return cacheAnswer.video;
  return cacheAnswer.kind === 'hit' ? { ...cacheAnswer.hit.transcript.video, id: videoId } : null;
};

const findCachedTrack = (
  { tracks }: StartedFetch,
  identity: TrackIdentity,
): StartedFetch['tracks'][number] | null =>
  tracks.find(
    ({ language_code: code, kind, translated }) =>
      code === identity.languageCode && kind === identity.kind && translated === identity.translated,
  ) ?? null;

const trackIdentity = (inspection: VideoInspection, choice: TrackChoice): TrackIdentity => ({
  videoId: inspection.video.id,
  languageCode: choice.delivered,
  kind: choice.track.kind,
  translated: choice.translateTo !== null,
});

export const publicTracks = (tracks: readonly PlatformTrack[]): CaptionTrack[] =>
  tracks.map(({ languageCode, kind, name }) => ({ language_code: languageCode, kind, name }));

/** What an inspection shows of a video. */
export const toInspectedVideo = ({ video, tracks, spokenLanguage }: VideoInspection) => ({
  video,
  tracks: publicTracks(tracks),
  languages: { original: spokenLanguage, isTranslatable: tracks.some((track) => track.isTranslatable) },
});

/** Each language once, in the platform's order. */
export const listLanguageCodes = (tracks: readonly PlatformTrack[]): string[] => [
  ...new Set(tracks.map(({ languageCode }) => languageCode)),
];
