import { type Passage, SILENCE_MS } from '@tds/transcript-format';
import { foldForms } from '@tds/transcript-format/fold';
import { isOwnLexeme, NEXT_WEIGHT, type PlacedWord, toTokens, toVector } from './library-words.ts';

/** Of the longest recordings of a day, and several times their different words. What comes later in a transcript is not found. */
const MAX = { passages: 5_000, words: 500_000, differentWords: 50_000 };
/** Of a page: some milliseconds of work, for this process and for the database. */
const MAX_PER_PAGE = { passages: 100, words: 10_000 };

export type IndexedPassage = Passage & {
  readonly position: number;
  /** The words whose lexemes a stemmer says. */
  readonly tokens: readonly PlacedWord[];
  /** The others, as a `tsvector`: they are many, and what takes a page has other work. */
  readonly signs: string;
};

/** Of the next passage, so that a sentence is found that goes on there: as many words or, without spaces, characters, in so much of its text. */
const MAX_NEXT_WORDS = 12;
const MAX_NEXT_LENGTH = 400;

const toPlacedWords = (text: string, next: string | undefined): PlacedWord[] => {
  const own = foldForms(text);
  const { length } = own;
  const tokens = toTokens(next === undefined ? own : `${own} ${foldForms(next.slice(0, MAX_NEXT_LENGTH))}`);
  const placed: PlacedWord[] = [];
  let count = 0;
  for (const { word, accented, at, start, isItem } of tokens) {
    const isNext = start >= length;
    if (isNext && !isItem) count += 1;
    if (count > MAX_NEXT_WORDS) break;
    placed.push({ word, accented, at, weight: isNext ? NEXT_WEIGHT : undefined });
  }
  return placed;
};

/** Nothing goes on over a silence or into a chapter. */
const findContinuation = (passage: Passage, next: Passage | undefined): string | undefined =>
  next && next.chapters.length === 0 && next.startMs - passage.endMs < SILENCE_MS ? next.text : undefined;

/** Passages with their words in pages, each made when it is taken; as many as the index of a transcript may have. */
export function* toIndexPages(passages: readonly Passage[]): Generator<IndexedPassage[]> {
  const words = new Set<string>();
  let page: IndexedPassage[] = [];
  let [count, pageCount] = [0, 0];
  for (const [position, passage] of passages.slice(0, MAX.passages).entries()) {
    const tokens = toPlacedWords(passage.text, findContinuation(passage, passages[position + 1]));
    for (const { word, accented = word } of tokens) words.add(accented);
    count += tokens.length;
    if (count > MAX.words || words.size > MAX.differentWords) break;
    const [signs, others] = [tokens.filter(isOwnLexeme), tokens.filter((token) => !isOwnLexeme(token))];
    page.push({ ...passage, position, tokens: others, signs: toVector(signs, ({ word }) => [word]) });
    pageCount += tokens.length;
    if (page.length < MAX_PER_PAGE.passages && pageCount < MAX_PER_PAGE.words) continue;
    yield page;
    [page, pageCount] = [[], 0];
  }
  yield page;
}
