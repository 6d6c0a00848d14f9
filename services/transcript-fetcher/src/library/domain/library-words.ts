/** A word of a text and its place among the words of the text. */
export type Token = {
  readonly word: string;
  readonly at: number;
  /** One character of a longer run without spaces, whose pairs are tokens, too. */
  readonly isItem: boolean;
  /** Where it stands in the folded text. */
  readonly start: number;
  readonly end: number;
};

export type PlacedWord = Pick<Token, 'word' | 'at'>;

/** A text as its words are compared. */
export const foldText = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Longer words are cut: nothing that is said is longer. */
const MAX_WORD_LENGTH = 64;

/** Runs of scripts that put no spaces between words, or words of all others; everything else separates. */
const RUNS =
  /(?<unspaced>[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{M}\p{N}]]+)|[[\p{L}\p{M}\p{N}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]+/gv;

/**
 * The words of a text in lower case. A run without spaces becomes its characters and the pairs of neighbours, as nobody can say where its words
 * end: a query of any length then is a sequence of pairs. Takes time in proportion to the text.
 */
export const toTokens = (text: string): Token[] => {
  const tokens: Token[] = [];
  let at = 0;
  const add = (word: string, start: number, length: number, isItem: boolean) => {
    at += 1;
    tokens.push({ word, at, isItem, start, end: start + length });
  };
  for (const { 0: run, index, groups } of foldText(text).matchAll(RUNS)) {
    if (groups?.unspaced === undefined) {
      add(run.slice(0, MAX_WORD_LENGTH).toWellFormed(), index, run.length, false);
      continue;
    }
    const characters = [...run];
    let start = index;
    characters.forEach((character, place) => {
      add(character, start, character.length, characters.length > 1);
      const next = characters[place + 1];
      if (next !== undefined) add(character + next, start, character.length + next.length, false);
      start += character.length;
    });
  }
  return tokens;
};

/** A lexeme as the text forms of `tsvector` and `tsquery` quote it. Words are letters, marks and digits, and so are their lexemes. */
export const quoteLexeme = (lexeme: string): string => `'${lexeme}'`;

/** The words of a text as a `tsvector`. */
export const toVector = (tokens: readonly PlacedWord[], lexemeOf: (word: string) => string): string => {
  const places = new Map<string, string>();
  for (const { word, at } of tokens) {
    const lexeme = lexemeOf(word);
    const entry = places.get(lexeme);
    places.set(lexeme, entry === undefined ? `${quoteLexeme(lexeme)}:${at}` : `${entry},${at}`);
  }
  return [...places.values()].join(' ');
};
