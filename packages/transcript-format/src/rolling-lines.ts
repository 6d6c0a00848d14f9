import type { Cue } from '@tds/contracts';

/** Captions with more lines do not roll. */
const MAX_LINES = 4;
/** So few may be dialogue in which somebody says what was said before. */
const MIN_ROLLED = 3;

const isShort = (lines: readonly string[]): boolean => lines.length <= MAX_LINES;

/** How many of the first lines were the last ones of the caption before. */
const countRepeated = (before: readonly string[], lines: readonly string[]): number => {
  if (!isShort(before) || !isShort(lines)) return 0;
  for (let count = Math.min(before.length, lines.length); count > 0; count -= 1)
    if (lines.slice(0, count).join('\n') === before.slice(-count).join('\n')) return count;
  return 0;
};

/**
 * Normalized cues without the lines that roll: broadcasts, and recognised captions that somebody uploaded again, repeat the last lines of the
 * caption before and add one. Only if at least half of the captions with several lines do so; one that adds nothing is left out then.
 */
export const withoutRolledLines = (cues: readonly Cue[]): readonly Cue[] => {
  if (cues.some(({ words }) => words)) return cues;
  let before: readonly string[] = [];
  const read = cues.map(({ text }) => {
    const lines = text.split('\n');
    const repeated = countRepeated(before, lines);
    before = lines;
    return { lines, repeated };
  });
  const rolled = read.filter(({ lines, repeated }) => repeated > 0 && lines.length > repeated).length;
  const several = read.filter(({ lines }) => lines.length > 1).length;
  if (rolled < MIN_ROLLED || rolled * 2 < several) return cues;
  return cues.flatMap((cue, index) => {
    const { lines = [], repeated = 0 } = read[index] ?? {};
    const text = lines.slice(repeated).join('\n');
    return text === '' ? [] : { ...cue, text };
  });
};
