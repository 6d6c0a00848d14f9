import type { Cue } from '../catalogue/cues.ts';
import type { CueStyle, TrackKind } from '../catalogue/video.ts';

/** What the writers of all formats start from. */
export type CaptionBody = {
  kind: TrackKind;
  lengthMs: number;
  style: CueStyle;
  /** A translation of recognised speech comes in whole lines, without times of words. */
  translated: boolean;
  cues: readonly Cue[];
};

const PADDING = '\u200b';
const EMPTY_EVERY = 5;

/** Padded tracks have events of padding alone between their cues. */
const withEmptyCues = (cues: readonly Cue[]): Cue[] =>
  cues.flatMap((cue, index) => (index % EMPTY_EVERY === 0 ? [{ ...cue, text: '' }, cue] : [cue]));

const swapPairs = (cues: readonly Cue[]): Cue[] =>
  cues.flatMap((_, index) => {
    const cue = cues[index % 2 === 0 ? index + 1 : index - 1] ?? cues[index];
    return cue ? [cue] : [];
  });

/** The cues as they stand on the wire: padded, out of order, as the style demands. */
export const wireCues = ({ style, cues }: CaptionBody): readonly Cue[] => {
  if (style !== 'padded' && style !== 'karaoke') return cues;
  const ordered = style === 'karaoke' ? swapPairs(cues) : withEmptyCues(cues);
  return ordered.map((cue) => ({ ...cue, text: `${PADDING}${cue.text}${PADDING}` }));
};

export type TimedWord = { text: string; offsetMs: number };

const LETTERS_PER_SEGMENT = 2;

const segmentsOf = (text: string): string[] => {
  if (text.includes(' ') || text.startsWith('[')) return text.split(/(?= )/);
  const letters = Array.from(text);
  const count = Math.ceil(letters.length / LETTERS_PER_SEGMENT);
  return Array.from({ length: count }, (_, index) =>
    letters.slice(index * LETTERS_PER_SEGMENT, (index + 1) * LETTERS_PER_SEGMENT).join(''),
  );
};

/** The words of a recognised line with their offsets; joined, they are the line again. */
export const timedWords = (cue: Cue): TimedWord[] => {
  const segments = segmentsOf(cue.text);
  const stepMs = Math.floor(cue.durationMs / 2 / segments.length);
  return segments.map((text, index) => ({ text, offsetMs: index * stepMs }));
};

export type AppendRow = { startMs: number; durationMs?: number };

const APPEND_LEAD_MS = 10;

/** The row with a line break that the platform puts before the next line; some of them have no length. */
export const appendRow = (cue: Cue, next: Cue, index: number): AppendRow => {
  const startMs = Math.max(cue.startMs, next.startMs - APPEND_LEAD_MS);
  const durationMs = cue.startMs + cue.durationMs - startMs;
  return durationMs > 0 && index % 7 !== 3 ? { startMs, durationMs } : { startMs };
};
