/** Where the words were found: in which text, and from which character to which. */
export type Match = { readonly text: number; readonly start: number; readonly end: number };

/** So that one letter in a text of ten hours costs no more than a word. */
export const MAX_MATCHES = 2_000;
const MAX_WORDS_LENGTH = 200;

const syntax = /[$()*+./?[\\\]^{|}]/g;

/** All places of the words, in any case and with any space between them; at most one more than `MAX_MATCHES`. */
export const findMatches = (texts: readonly string[], words: string): readonly Match[] => {
  const wanted = words.trim().slice(0, MAX_WORDS_LENGTH);
  if (wanted === '') return [];
  const pattern = new RegExp(wanted.replaceAll(syntax, '\\$&').replaceAll(/\s+/g, '\\s+'), 'giu');
  const matches: Match[] = [];
  for (const [text, content] of texts.entries())
    for (const { index, 0: found } of content.matchAll(pattern)) {
      matches.push({ text, start: index, end: index + found.length });
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
