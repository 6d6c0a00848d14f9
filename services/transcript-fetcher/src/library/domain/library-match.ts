import { MAX_MATCH_LENGTH, MAX_SENTENCE_LENGTH, SECOND_MS } from '@tds/contracts';
import { type CaptionStart, listSentenceEnds } from '@tds/transcript-format';
import { createUnfold, foldForms } from '@tds/transcript-format/fold';
import type { LexemePhrase } from './library-query.ts';
import { toTokens } from './library-words.ts';

/** Where the lexemes of a query stand among the words of a passage, from 1 on. */
export type LexemePlaces = Readonly<Record<string, readonly number[]>>;

export type MatchedPassage = {
  /** In seconds. */
  readonly start: number;
  readonly text: string;
  readonly captions: readonly CaptionStart[];
  readonly places: LexemePlaces;
};

/** The words of a passage that were found, as they stand there, and their sentence, or as many words around them as a short one has. */
type FoundMatch = { readonly start: number; readonly text: string; readonly sentence: string };

const words = new Intl.Segmenter('en', { granularity: 'word' });
const wordEndAt = (text: string, at: number): number => {
  const { index, segment } = words.segment(text).containing(at) ?? { index: text.length, segment: '' };
  return index + segment.length;
};

const findSentence = (text: string, from: number, to: number): string => {
  const before = { min: Math.max(0, from - MAX_SENTENCE_LENGTH), max: from };
  const start = listSentenceEnds(text, before).at(-1) ?? 0;
  const [end = text.length] = listSentenceEnds(text, { min: to, max: to + MAX_SENTENCE_LENGTH });
  const room = Math.max(0, MAX_SENTENCE_LENGTH - (to - from)) / 2;
  if (end - start <= MAX_SENTENCE_LENGTH) return text.slice(start, end).trim();
  const first = from - start <= room ? start : Math.min(from, wordEndAt(text, Math.ceil(from - room)));
  const last = first + MAX_SENTENCE_LENGTH;
  const cut = end <= last ? end : (words.segment(text).containing(last)?.index ?? end);
  return text
    .slice(first, cut <= first ? last : cut)
    .trim()
    .toWellFormed();
};

/** From first word to last. */
type Span = { readonly from: number; readonly to: number };

const findSpans = (phrase: LexemePhrase, places: LexemePlaces): Span[] => {
  const words = phrase.map(({ lexemes, distance }) => ({
    distance,
    at: new Set(lexemes.flatMap((lexeme) => places[lexeme] ?? [])),
  }));
  const length = phrase.at(-1)?.distance ?? 0;
  return [...(words[0]?.at ?? [])]
    .filter((from) => words.every(({ distance, at }) => at.has(from + distance)))
    .map((from) => ({ from, to: from + length }));
};

/** The shortest span with each phrase that begins no later than at the last word, the first of several. */
const findShortest = (phrases: readonly LexemePhrase[], places: LexemePlaces, last: number): Span | null => {
  const spans = phrases.flatMap((phrase, index) => findSpans(phrase, places).map((span) => ({ index, span })));
  const latest = new Map<number, Span>();
  let shortest: Span | null = null;
  for (const { index, span } of spans.sort((a, b) => a.span.from - b.span.from)) {
    latest.set(index, span);
    if (latest.size < phrases.length) continue;
    const ends = [...latest.values()];
    const [from, to] = [Math.min(...ends.map((end) => end.from)), Math.max(...ends.map((end) => end.to))];
    if (from <= last && (shortest === null || to - from < shortest.to - shortest.from)) shortest = { from, to };
  }
  return shortest;
};

/** Where the phrases of a query stand closest together in a passage in which they begin. What they have of the next one is not shown. */
export const findMatch = (
  { start, text, captions, places }: MatchedPassage,
  phrases: readonly LexemePhrase[],
): FoundMatch => {
  // Of two words that are one, too, the whole.
  const tokens = new Map(toTokens(foldForms(text)).map((token) => [token.at, token]));
  const count = tokens.size;
  // Without spaces, the last character and the first of the next passage are a word of their own.
  const span = findShortest(phrases, places, count) ?? findShortest(phrases, places, count + 1);
  const [first, last] = span
    ? [tokens.get(Math.min(span.from, count)), tokens.get(Math.min(span.to, count))]
    : [];
  const words = first && last && createUnfold(text, foldForms)({ start: first.start, end: last.end });
  // If there are none, they were indexed by other rules.
  const { start: from, end: to } = words ?? { start: 0, end: text.length };
  const caption = words && captions.findLast(([offset]) => offset <= from);
  return {
    start: caption ? caption[1] / SECOND_MS : start,
    text: text.slice(from, Math.min(to, from + MAX_MATCH_LENGTH)).toWellFormed(),
    sentence: findSentence(text, from, to),
  };
};
