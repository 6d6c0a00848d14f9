import { randomUUID } from 'node:crypto';
import type { Cue, ServiceErrorData } from '@tds/contracts';
import type { Choice } from '../domain/known.ts';
import { REFUSAL_MEMORY_MS } from '../domain/selection.ts';
import type { Begun } from '../store/rows.ts';
import { fetchedVideoRow } from '../store/videos.ts';
import type { Ending } from './ended-fetch.ts';
import { type FetchFailure, learntFrom } from './learnt-from-failure.ts';
import { languagesOf, type ObtainedTrack, publicTracks } from './obtain-track.ts';
import { packCues, render } from './transcript-files.ts';

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
const learnt = ({ inspection, choice, track }: Omit<ObtainedTrack, 'cues'>, now: Date) => {
  const { isFallback, translation } = choice;
  const expiresAt = translation === 'refused' ? new Date(now.getTime() + REFUSAL_MEMORY_MS) : null;
  const inspected = { video: inspection.video, tracks: publicTracks(inspection.tracks) };
  return {
    choice: { isFallback, translation },
    selection: { isFallback, translation, available: languagesOf(inspection.tracks), expiresAt },
    video: fetchedVideoRow(inspected, track, now),
  };
};

/** A track that was cached before, and is what the language leads to. */
export const endWithKept = (begun: Begun, obtained: ObtainedTrack, cachedId: string, now: Date): Ending => ({
  end: { ...headOf(begun), ...nothing, ...learnt(obtained, now), cachedId },
  objects: [],
  rendered: null,
});

/** A new track: its cues, and the file in the format that is waited for. */
export const endWithTrack = async (
  begun: Begun,
  obtained: ObtainedTrack,
  cues: readonly Cue[],
  now: Date,
): Promise<Ending> => {
  const { track, video, inspection } = obtained;
  const identified = { ...track, id: randomUUID(), video, strategy: inspection.strategy };
  const [packedCues, rendered] = await Promise.all([packCues(cues), render(identified, begun.format, cues)]);
  const brought = { ...identified, cuesKey: packedCues.key, cachedAt: now, cueCount: cues.length };
  return {
    end: { ...headOf(begun), ...nothing, ...learnt(obtained, now), brought, file: rendered.file },
    objects: [packedCues, rendered.packed],
    rendered,
  };
};
