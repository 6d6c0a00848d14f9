import type { ServiceErrorData } from '@tds/contracts';
import type { Choice } from '../domain/known.ts';
import { REFUSAL_MEMORY_MS } from '../domain/selection.ts';
import type { Begun } from '../store/rows.ts';
import { fetchedVideoRow } from '../store/videos.ts';
import type { Ending } from './ended-fetch.ts';
import { type FetchFailure, learntFrom } from './learnt-from-failure.ts';
import type { MadeTrack } from './make-track.ts';
import { languagesOf, type ObtainedTrack, publicTracks } from './obtain-track.ts';

const nothing = {
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
export const endWithCached = (begun: Begun, cachedId: string, choice: Choice): Ending => ({
  end: { ...headOf(begun), ...nothing, cachedId, choice },
  objects: [],
  rendered: null,
});

export const endWithError = (begun: Begun, error: ServiceErrorData): Ending => ({
  end: { ...headOf(begun), ...nothing, error },
  objects: [],
  rendered: null,
});

/** With what the failure says of the video or of one language of it. */
export const endWithFailure = (begun: Begun, failure: FetchFailure, now: Date): Ending => {
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
export const endWithKept = (begun: Begun, obtained: ObtainedTrack, now: Date): Ending => ({
  end: { ...headOf(begun), ...nothing, ...learnt(obtained, now), cachedId: obtained.transcriptId },
  objects: [],
  rendered: null,
});

/** A new track: its cues, and the file in the format that is waited for. */
export const endWithTrack = (
  begun: Begun,
  obtained: ObtainedTrack,
  { cues, cueCount, rendered }: MadeTrack,
  now: Date,
): Ending => {
  const { track, transcriptId, video, inspection } = obtained;
  const identified = { ...track, id: transcriptId, video, strategy: inspection.strategy };
  const brought = { ...identified, cuesKey: cues.key, cachedAt: now, cueCount };
  return {
    end: { ...headOf(begun), ...nothing, ...learnt(obtained, now), brought, file: rendered.file },
    objects: [cues, rendered.packed],
    rendered,
  };
};
