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
} from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import type { TrackIdentity } from '../domain/transcript.ts';
import type { StartedFetch } from '../store/rows.ts';
import { rankOf } from './later-captions.ts';
import type { MadeTrack } from './make-track.ts';

export type ObtainedTrack = {
  readonly inspection: VideoInspection;
  /** With earlier details for those that are missing this time. */
  readonly video: VideoDetails;
  readonly choice: TrackChoice;
  readonly track: TrackIdentity;
  /** Null if the track is cached and its cues exist. */
  readonly made: MadeTrack | null;
  /** The id of the cached transcript of the same track, if there is one; else a new id. */
  readonly transcriptId: string;
  readonly isCached: boolean;
};

type ObtainDeps = Pick<Deps, 'platform' | 'objects' | 'files'>;

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
export const failureOf = (
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
export async function obtainTrack(deps: ObtainDeps, begun: StartedFetch, call: Call): Promise<ObtainedTrack> {
  const inspection = await withSpan('platform inspect-video', { kind: 'client' }, () =>
    deps.platform.inspectVideo(begun.videoId, begun, call),
  );
  try {
    return await obtainAmong(deps, { inspection, begun }, inspection.tracks, call);
  } catch (cause) {
    throw new LanguageFailure(inspection, cause);
  }
}

/** More tracks without a word are not tried. */
const MAX_WORDLESS_TRACKS = 3;

async function obtainAmong(
  deps: ObtainDeps,
  inspected: Inspected,
  tracks: readonly PlatformTrack[],
  call: Call,
): Promise<ObtainedTrack> {
  const { inspection, begun } = inspected;
  const choice = chooseTrack({ ...inspection, tracks }, begun);
  try {
    return await obtainChoice(deps, inspected, choice, call);
  } catch (error) {
    const source = choice.fallbackChoice ?? choice;
    const left = tracks.filter(({ vssId }) => vssId !== source.track.vssId);
    if (!hasCode(error, 'no_captions') || left.length === 0) throw error;
    // The others may have words, so this is no fact about the video.
    if (inspection.tracks.length - left.length > MAX_WORDLESS_TRACKS) throw serviceError('no_captions');
    return await obtainAmong(deps, inspected, left, call);
  }
}

type Inspected = { readonly inspection: VideoInspection; readonly begun: StartedFetch };

async function obtainChoice(
  deps: ObtainDeps,
  inspected: Inspected,
  choice: TrackChoice,
  call: Call,
): Promise<ObtainedTrack> {
  const { inspection, begun } = inspected;
  const known = videoOf(begun);
  const video = known === null ? inspection.video : completeVideo(inspection.video, known);
  const track = trackIdentity(inspection, choice);
  const better = keptTrack({ inspection, video, choice, track }, begun);
  if (better) return better;
  const cached = cachedTrack(begun, track);
  const id = cached?.id ?? randomUUID();
  const obtained = { inspection, choice, track, transcriptId: id, isCached: cached !== null };
  if (cached && (await deps.objects.stat(cached.cuesKey))) return { ...obtained, video, made: null };
  const dated = withDate(deps, video, call);
  try {
    const { languageCode, kind } = track;
    const made = await withSpan('platform fetch-track', { kind: 'client' }, () =>
      deps.platform.fetchTrack(inspection, choice, call, async (body, signal) => {
        const transcript = { id, languageCode, kind, video: await dated };
        return await deps.files.make(body, { transcript, format: begun.format }, signal);
      }),
    );
    return { ...obtained, video: await dated, made };
  } catch (error) {
    if (!hasCode(error, 'translation_refused') || !choice.fallbackChoice) throw error;
    return await obtainChoice(deps, inspected, choice.fallbackChoice, call);
  }
}

/** What a refresh would replace, if that is better than what the platform has by now. */
const keptTrack = <Found extends Pick<ObtainedTrack, 'choice' | 'track'>>(
  found: Found,
  { language, known }: StartedFetch,
) => {
  const kept = known.kind === 'refresh' ? known.kept : null;
  if (!kept || rankOf(language, kept.choice, kept.transcript) <= rankOf(language, found.choice, found.track))
    return null;
  const { id: transcriptId, videoId, languageCode, kind } = kept.transcript;
  const track = { videoId, languageCode, kind, translated: kept.choice.translation === 'served' };
  const choice = { ...found.choice, ...kept.choice };
  return { ...found, choice, track, transcriptId, isCached: true, made: null };
};

/** Adds the publish date, which files and answers contain, if the client that served the captions did not send it. */
const withDate = async (
  { platform }: Pick<Deps, 'platform'>,
  video: VideoDetails,
  call: Call,
): Promise<VideoDetails> =>
  video.published_at === null
    ? { ...video, published_at: await platform.publishedOn(video.id, call) }
    : video;

/** The details known before this fetch. */
const videoOf = ({ known, videoId }: StartedFetch): VideoDetails | null => {
  if (known.kind === 'unknown' || known.kind === 'refresh') return known.video;
  return known.kind === 'hit' ? { ...known.hit.transcript.video, id: videoId } : null;
};

const cachedTrack = (
  { tracks }: StartedFetch,
  wanted: TrackIdentity,
): StartedFetch['tracks'][number] | null =>
  tracks.find(
    ({ languageCode, kind, translated }) =>
      languageCode === wanted.languageCode && kind === wanted.kind && translated === wanted.translated,
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
export const inspectedOf = ({ video, tracks, spokenLanguage }: VideoInspection) => ({
  video,
  tracks: publicTracks(tracks),
  languages: { original: spokenLanguage, isTranslatable: tracks.some((track) => track.isTranslatable) },
});

/** Each language once, in the platform's order. */
export const languagesOf = (tracks: readonly PlatformTrack[]): string[] => [
  ...new Set(tracks.map(({ languageCode }) => languageCode)),
];
