import type { StyledCue } from './merge-frames.ts';

/** Words may be blank, and may lack times of their own. An upload that was shifted may begin before 0. */
export type RawCue = Omit<StyledCue, 'durationMs'> & { readonly durationMs: number | null };

/** The longest time on screen of a cue whose duration the platform does not say. */
const MAX_UNTIMED_CUE_MS = 5_000;

/** Cues in order of time. One without duration lasts until the next later one. */
export const withDurations = (cues: readonly RawCue[]): readonly StyledCue[] => {
  let laterStartMs = Number.POSITIVE_INFINITY;
  let followingStartMs = Number.POSITIVE_INFINITY;
  return cues
    .toReversed()
    .map(({ startMs, durationMs, ...cue }) => {
      if (startMs < followingStartMs) laterStartMs = followingStartMs;
      followingStartMs = startMs;
      return {
        startMs,
        durationMs: durationMs || Math.min(MAX_UNTIMED_CUE_MS, laterStartMs - startMs),
        ...cue,
      };
    })
    .reverse();
};

/** A cue that begins before 0 begins at 0, as in a player; none if it ends before. */
export const fromZero = (cue: RawCue): readonly RawCue[] => {
  const { startMs, durationMs } = cue;
  if (startMs >= 0) return [cue];
  if (durationMs !== null && startMs + durationMs <= 0) return [];
  const words = cue.words?.map((word) => ({ ...word, startMs: Math.max(0, word.startMs) }));
  return [{ ...cue, startMs: 0, durationMs: durationMs && startMs + durationMs, ...(words && { words }) }];
};
