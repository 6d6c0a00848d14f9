import type { Cue } from '@tds/contracts';
import { cleanText } from './clean-text.ts';

const wholeMs = (ms: number): number =>
  Number.isFinite(ms) ? Math.min(Math.max(0, Math.round(ms)), Number.MAX_SAFE_INTEGER) : 0;

const normalizeCue = (cue: Cue): Cue => ({
  startMs: wholeMs(cue.startMs),
  durationMs: wholeMs(cue.durationMs),
  text: cleanText(cue.text),
});

/**
 * The cues every format is rendered from: clean text, whole milliseconds, no empty cue, stably sorted by start.
 * Repeated texts stay: a refrain cannot be told from a duplicate.
 */
export const normalizeCues = (cues: readonly Cue[]): Cue[] =>
  cues
    .map(normalizeCue)
    .filter((cue) => cue.text !== '')
    .sort((one, other) => one.startMs - other.startMs);
