import type { Passage } from '@tds/transcript-format';
import { type PlacedWord, toTokens } from './library-words.ts';

/** Of the longest recordings of a day, and several times their different words. What comes later in a transcript is not found. */
const MAX = { passages: 5_000, words: 500_000, differentWords: 50_000 };
/** Of a page: some milliseconds of work, for this process and for the database. */
const MAX_PER_PAGE = { passages: 100, words: 10_000 };

export type IndexedPassage = Passage & { readonly position: number; readonly tokens: readonly PlacedWord[] };

/** Passages with their words in pages, each made when it is taken; as many as the index of a transcript may have. */
export function* toIndexPages(passages: readonly Passage[]): Generator<IndexedPassage[]> {
  const words = new Set<string>();
  let page: IndexedPassage[] = [];
  let [count, pageCount] = [0, 0];
  for (const [position, passage] of passages.slice(0, MAX.passages).entries()) {
    const tokens = toTokens(passage.text).map(({ word, at }) => ({ word, at }));
    for (const { word } of tokens) words.add(word);
    count += tokens.length;
    if (count > MAX.words || words.size > MAX.differentWords) break;
    page.push({ ...passage, position, tokens });
    pageCount += tokens.length;
    if (page.length < MAX_PER_PAGE.passages && pageCount < MAX_PER_PAGE.words) continue;
    yield page;
    [page, pageCount] = [[], 0];
  }
  yield page;
}
