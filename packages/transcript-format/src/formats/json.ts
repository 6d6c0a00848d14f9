import type { Cue } from '@tds/contracts';

/** A cue of the json format: times in seconds, exact to the millisecond. */
export type SecondsCue = { readonly start: number; readonly duration: number; readonly text: string };

/** What the platform said, overlaps included: only srt and vtt are for players. */
export const secondsCues = (cues: readonly Cue[]): SecondsCue[] =>
  cues.map(({ startMs, durationMs, text }) => ({ start: startMs / 1000, duration: durationMs / 1000, text }));

export const renderJson = (cues: readonly Cue[]): string => JSON.stringify(secondsCues(cues));
