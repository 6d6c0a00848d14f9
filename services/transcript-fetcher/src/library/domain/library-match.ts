import { MAX_MATCH_LENGTH, SECOND_MS } from '@tds/contracts';
import type { CaptionStart } from '@tds/transcript-format';
import type { LexemePhrase } from './library-query.ts';
import { foldText, toTokens } from './library-words.ts';

/** Where the lexemes of a query stand among the words of a passage, from 1 on. */
export type LexemePlaces = Readonly<Record<string, readonly number[]>>;

type MatchedPassage = {
  /** In seconds. */
  readonly start: number;
  readonly text: string;
  readonly captions: readonly CaptionStart[];
  readonly places: LexemePlaces;
};

/** The words of a passage that were found, as they stand there. */
type FoundMatch = { readonly start: number; readonly text: string };

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** From first word to last. */
type Span = { readonly from: number; readonly to: number };

const findSpans = (phrase: LexemePhrase, places: LexemePlaces): Span[] => {
  const words = phrase.map(({ lexeme, distance }) => ({ distance, at: new Set(places[lexeme]) }));
  const length = phrase.at(-1)?.distance ?? 0;
  return [...(words[0]?.at ?? [])]
    .filter((from) => words.every(({ distance, at }) => at.has(from + distance)))
    .map((from) => ({ from, to: from + length }));
};

/** The shortest span with each phrase, the first of several. */
const findShortest = (phrases: readonly LexemePhrase[], places: LexemePlaces): Span | null => {
  const spans = phrases.flatMap((phrase, index) => findSpans(phrase, places).map((span) => ({ index, span })));
  const latest = new Map<number, Span>();
  let shortest: Span | null = null;
  for (const { index, span } of spans.sort((a, b) => a.span.from - b.span.from)) {
    latest.set(index, span);
    if (latest.size < phrases.length) continue;
    const ends = [...latest.values()];
    const [from, to] = [Math.min(...ends.map((end) => end.from)), Math.max(...ends.map((end) => end.to))];
    if (shortest === null || to - from < shortest.to - shortest.from) shortest = { from, to };
  }
  return shortest;
};

/** Leads from positions in the folded text to those in the text. */
const unfold = (text: string): ((position: number) => number) => {
  if (foldText(text).length === text.length) return (position) => position;
  const positions: number[] = [];
  for (const { segment, index } of graphemes.segment(text))
    for (let remaining = foldText(segment).length; remaining > 0; remaining -= 1) positions.push(index);
  return (position) => positions[position] ?? text.length;
};

/** Where the phrases of a query stand closest together in a passage that has them. */
export const findMatch = (
  { start, text, captions, places }: MatchedPassage,
  phrases: readonly LexemePhrase[],
): FoundMatch => {
  const span = findShortest(phrases, places);
  const tokens = toTokens(text);
  const [first, last] = [tokens[(span?.from ?? 0) - 1], tokens[(span?.to ?? 0) - 1]];
  // The words were indexed by other rules.
  if (!first || !last) return { start, text: text.slice(0, MAX_MATCH_LENGTH).toWellFormed() };
  const toPosition = unfold(text);
  const [from, to] = [toPosition(first.start), toPosition(last.end)];
  const caption = captions.findLast(([offset]) => offset <= from);
  return {
    start: caption ? caption[1] / SECOND_MS : start,
    text: text.slice(from, Math.min(to, from + MAX_MATCH_LENGTH)).toWellFormed(),
  };
};
