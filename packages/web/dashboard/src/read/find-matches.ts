import { createUnfold, foldText, NON_JOINER, UNSPACED } from '@tds/transcript-format/fold';

/** A place in one of the texts, from one character to another. */
export type Place = { readonly text: number; readonly start: number; readonly end: number };

/** Where the words were found, and where they go on if they stand over the end of a text. */
export type Match = Place & { readonly rest?: readonly Place[] };

/** So that one letter in a text of ten hours costs no more than a word. */
export const MAX_MATCHES = 2_000;
const MAX_WORDS_LENGTH = 200;

const syntax = /[$()*+./?[\\\]^{|}]/g;
/** Captions end between any two of them. */
const betweenUnspaced = new RegExp(`(?<=[${UNSPACED}])(?:\\[\\\\s${NON_JOINER}\\]\\+)?(?=[${UNSPACED}])`, 'gu');
/** Parts of a word of Persian may be joined. */
const betweenArabic = /(?<=\p{sc=Arabic})(?=\p{sc=Arabic})/gu;

const createPattern = (words: string): RegExp | null => {
  const wanted = foldText(words.trim().slice(0, MAX_WORDS_LENGTH)).replaceAll(NON_JOINER, '').trim();
  const escaped = wanted
    .replaceAll(syntax, '\\$&')
    .replaceAll(betweenArabic, `${NON_JOINER}?`)
    .replaceAll(/\s+/g, `[\\s${NON_JOINER}]+`);
  return wanted === '' ? null : new RegExp(escaped.replaceAll(betweenUnspaced, '\\s*'), 'gu');
};

/** The texts as they are compared, one after the other, and where each begins. */
const joinFolded = (texts: readonly string[]) => {
  const folded = texts.map(foldText);
  let end = 0;
  const starts = folded.map((text) => {
    const start = end;
    end += text.length + 1;
    return start;
  });
  return { joined: folded.join(' '), folded, starts };
};

/**
 * All places of the words, also over the end of a text, in the order of the texts: in any case, with or without accents, with any space
 * between them. At most one more than `MAX_MATCHES`.
 */
export const findMatches = (texts: readonly string[], words: string): readonly Match[] => {
  const pattern = createPattern(words);
  if (!pattern) return [];
  const { joined, folded, starts } = joinFolded(texts);
  let [text, unfolded] = [0, -1];
  let unfold = createUnfold('');
  /** The parts of a match in each text that it has a part of. */
  const placesFrom = (from: number, to: number): Place[] => {
    const places: Place[] = [];
    for (let at = text; (starts[at] ?? to) < to; at += 1) {
      const offset = starts[at] ?? 0;
      const [start, end] = [Math.max(0, from - offset), Math.min(folded[at]?.length ?? 0, to - offset)];
      if (unfolded !== at) unfold = createUnfold(texts[at] ?? '');
      unfolded = at;
      if (start < end) places.push({ text: at, ...unfold({ start, end }) });
    }
    return places;
  };
  const matches: Match[] = [];
  for (const { index, 0: found } of joined.matchAll(pattern)) {
    while ((starts[text + 1] ?? Number.POSITIVE_INFINITY) <= index) text += 1;
    const [first, ...rest] = placesFrom(index, index + found.length);
    if (first) matches.push(rest.length > 0 ? { ...first, rest } : first);
    if (matches.length > MAX_MATCHES) return matches;
  }
  return matches;
};

/** The match after so many steps, from 1 for the first and -1 for the last on, round and round; -1 before any step. */
export const matchAt = (steps: number, count: number): number => {
  if (steps === 0 || count === 0) return -1;
  return steps > 0 ? (steps - 1) % count : ((steps % count) + count) % count;
};

/** `3 of 17`, or that there are more than can be shown. */
export const formatCount = (matches: readonly Match[], current: number): string => {
  if (matches.length === 0) return 'Not found';
  const all =
    matches.length > MAX_MATCHES ? `more than ${MAX_MATCHES.toLocaleString('en-US')}` : matches.length;
  return current < 0 ? `${all} found` : `${current + 1} of ${all}`;
};
