import { foldMarks, UNSPACED } from '@tds/transcript-format/fold';

/** A word of a text and its place among the words of the text. */
export type Token = {
  readonly word: string;
  /** The word with its accents, which have a meaning to stemmers. */
  readonly accented: string | undefined;
  readonly at: number;
  /** One character of a longer run without spaces, whose pairs are tokens, too. */
  readonly isItem: boolean;
  /** Where it stands in the text of one form. */
  readonly start: number;
  readonly end: number;
};

/** Weights of `tsvector`: words of a passage have the one that is not written, so that earlier vectors have it, too. */
export const OWN_WEIGHT = 'D';
export const NEXT_WEIGHT = 'A';

/** A word of a passage, or of the begin of the next one. */
export type PlacedWord = Pick<Token, 'word' | 'accented' | 'at'> & {
  readonly weight?: typeof NEXT_WEIGHT | undefined;
};

/** Longer words are cut: nothing that is said is longer. */
const MAX_WORD_LENGTH = 64;

const words = String.raw`\p{L}\p{M}\p{N}`;
const unspaced = `[[${UNSPACED}]&&[${words}]]`;
/**
 * Runs of scripts that put no spaces between words, and of Hangul, which joins particles to them; words of all others. Everything else
 * separates, but for a space in scripts that have none: captions end there.
 */
const RUNS = new RegExp(
  String.raw`(?<unspaced>${unspaced}+(?:\s${unspaced}+)*|[\p{sc=Hangul}&&\p{L}]+)|[[${words}]--[${UNSPACED}\p{sc=Hangul}]]+`,
  'gv',
);

/**
 * The words of a text in one form (`foldForms`). A run without spaces becomes its characters and the pairs of neighbours, as nobody can
 * say where its words end: a query of any length then is a sequence of pairs. Takes time in proportion to the text.
 */
export const toTokens = (forms: string): Token[] => {
  const tokens: Token[] = [];
  const folded = foldMarks(forms);
  // Each run of letters and marks has its run there.
  const words = folded === forms ? null : folded.match(RUNS);
  let count = 0;
  for (const { 0: run, index: start, groups } of forms.matchAll(RUNS)) {
    const word = words?.[count++] ?? run;
    if (groups?.unspaced !== undefined) addCharacters(tokens, run, start);
    else {
      const accented = word === run ? undefined : cutWord(run);
      const end = start + run.length;
      tokens.push({ word: cutWord(word), accented, at: tokens.length + 1, isItem: false, start, end });
    }
  }
  return tokens;
};

const cutWord = (word: string): string => word.slice(0, MAX_WORD_LENGTH).toWellFormed();

const addCharacters = (tokens: Token[], run: string, runStart: number): void => {
  let [before, start, end] = ['', runStart, runStart];
  const add = (word: string, from: number, isItem: boolean) =>
    tokens.push({ word, accented: undefined, at: tokens.length + 1, isItem, start: from, end });
  for (const character of run) {
    const from = end;
    end += character.length;
    if (character.trim() === '') continue;
    if (before !== '') add(before + character, start, false);
    [before, start] = [character, from];
    add(character, from, run.length > character.length);
  }
};

/** A lexeme as the text forms of `tsvector` and `tsquery` quote it. Words are letters, marks and digits, and so are their lexemes. */
export const quoteLexeme = (lexeme: string): string => `'${lexeme}'`;

type Word = Pick<Token, 'word' | 'accented'>;

/** All that a stemmer has to know of words. */
export const listForms = (words: readonly Word[]): string[] =>
  words.flatMap(({ word, accented = word }) => (accented === word ? word : [word, accented]));

export type LexemesOf = (word: Word) => readonly string[];

/** The lexeme of a word without its accents, and that of the word as it is written, if its ending is another one. */
export const createLexemes = (lexemeOf: (form: string) => string): LexemesOf => {
  const known = new Map<string, readonly string[]>();
  return ({ word, accented = word }) => {
    const lexemes = known.get(accented) ?? [...new Set([lexemeOf(word), foldMarks(lexemeOf(accented))])];
    known.set(accented, lexemes);
    return lexemes;
  };
};

/** The words of a text as a `tsvector`. */
export const toVector = (tokens: readonly PlacedWord[], lexemesOf: LexemesOf): string => {
  const places = new Map<string, string>();
  for (const token of tokens)
    for (const lexeme of lexemesOf(token)) {
      const entry = places.get(lexeme);
      const start = entry === undefined ? `${quoteLexeme(lexeme)}:` : `${entry},`;
      places.set(lexeme, `${start}${token.at}${token.weight ?? ''}`);
    }
  return [...places.values()].join(' ');
};
