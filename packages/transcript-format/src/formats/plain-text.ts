import type { Cue } from '@tds/contracts';
import { singleLine } from '../clean-text.ts';
import { readingTime } from '../timestamps.ts';

const paragraphPauseMs = 2_000;

/** Captions joined by spaces; a blank line where nothing was on screen for two seconds or more. */
export const renderClean = (cues: readonly Cue[]): string => {
  let text = '';
  let spokenUntilMs = 0;
  for (const cue of cues) {
    const separator = cue.startMs - spokenUntilMs >= paragraphPauseMs ? '\n\n' : ' ';
    text += (text === '' ? '' : separator) + singleLine(cue.text);
    spokenUntilMs = Math.max(spokenUntilMs, cue.startMs + cue.durationMs);
  }
  return text;
};

/** The moment a cue starts, in whole seconds already reached, as `[MM:SS]` or `[H:MM:SS]`. */
export const bracketedStart = (cue: Cue): string => `[${readingTime(Math.floor(cue.startMs / 1000))}]`;

export const renderTimestamped = (cues: readonly Cue[]): string =>
  cues.map((cue) => `${bracketedStart(cue)} ${singleLine(cue.text)}`).join('\n');

export const renderBoth = (cues: readonly Cue[]): string =>
  `TRANSCRIPT\n\n${renderClean(cues)}\n\nTRANSCRIPT WITH TIMESTAMPS\n\n${renderTimestamped(cues)}`;
