import { foldMarks, NON_JOINER, UNSPACED } from '@tds/transcript-format/fold';

/** A word of a text and its place among the words of the text. */
export type Token = {
  readonly word: string;
  /** The word with its accents, which have a meaning to stemmers. */
  readonly accented: string | undefined;
  readonly at: number;
  /** It is a part of others, or the whole of two, so a query has those: one character of a longer run without spaces, or both sides of an apostrophe. */
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
/** Signs of these scripts; earlier ones are marks that they share with others, as in Guarani g̃. */
const FIRST_UNSPACED = 0x0e00;
const unspacedSigns = String.raw`[[${UNSPACED}]--[\0-\u0dff]]`;
const unspaced = `[${unspacedSigns}&&[${words}]]`;
const hangul = String.raw`[\p{sc=Hangul}&&\p{L}]`;
/**
 * Runs of scripts that put no spaces between words, and of Hangul, which joins particles to them and whose compounds have spaces or none; words of
 * all others. Everything else separates, but for a space in such a run, where captions end, and the dot between parts of a Japanese name.
 */
const RUNS = new RegExp(
  String.raw`(?<unspaced>${unspaced}+(?:[\s・]${unspaced}+)*|${hangul}+(?:\s${hangul}+)*)|[[${words}]--[${unspacedSigns}\p{sc=Hangul}]]+`,
  'gv',
);

/** The same in texts that have neither, which are most: these patterns are quicker. */
const WORDS = new RegExp(`[${words}]+`, 'gv');
const PLAIN_WORDS = /[a-z0-9]+/g;
const hasOnlyWords = new RegExp(String.raw`^[^${unspacedSigns}\p{sc=Hangul}]*$`, 'v');
const isPlain = /^[\0-\x7f]*$/;
const runsOf = (text: string): RegExp => {
  if (isPlain.test(text)) return PLAIN_WORDS;
  return hasOnlyWords.test(text) ? WORDS : RUNS;
};

/** What a reader calls one sign, in scripts of South East Asia: a consonant with its vowels. */
const SOUTH_EAST_ASIAN =
  /[เ-ไ]?[ก-ฮ][\p{Mn}ะาๅ]*|[ເ-ໄ]?[ກ-ຮໜໝ][\p{Mn}ະາ]*|[ក-ឳ](?:្[ក-ឳ]|\p{M})*|[က-ဪ](?:္[က-ဪ]|\p{M})*|\P{M}\p{M}*|\p{M}/gu;
const hasVowelSigns = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/u;
const signsOf = (run: string): Iterable<string> =>
  hasVowelSigns.test(run) ? (run.match(SOUTH_EAST_ASIAN) ?? []) : run;
/** Long at the end of a word or not: both are usual. */
const FINAL_PROLONGED = /(?<=[\p{sc=Katakana}ー]{2})ー(?![\p{sc=Katakana}ー])/gu;

/** An apostrophe of a name or a contraction, which people leave out; after an article of French or Italian they do not. */
const ELIDED = /^(?:[^og]|qu|jusqu|lorsqu|puisqu|.*ll)$/u;
const isJoined = (sign: string | undefined, { word }: Token): boolean =>
  sign === NON_JOINER || (sign === "'" && !ELIDED.test(word));

/**
 * The words of a text in one form (`foldForms`). A run without spaces becomes its signs and the pairs of neighbours, as nobody can
 * say where its words end: a query of any length then is a sequence of pairs. Takes time in proportion to the text.
 */
export const toTokens = (forms: string): Token[] => {
  const tokens: Token[] = [];
  const folded = foldMarks(forms);
  const runs = runsOf(forms);
  // Each run of letters and marks has its run there.
  const words = folded === forms ? null : folded.match(runs);
  let [count, at] = [0, 0];
  let previous: Token | undefined;
  for (const { 0: run, index: start, groups } of forms.matchAll(runs)) {
    const word = words?.[count++] ?? run;
    if (groups?.unspaced !== undefined) {
      at = addSigns(tokens, run, start, at);
      continue;
    }
    at += 1;
    const accented = word === run ? undefined : cutWord(run);
    const token = { word: cutWord(word), accented, at, isItem: false, start, end: start + run.length };
    tokens.push(token);
    if (previous?.end === start - 1 && isJoined(forms[start - 1], previous))
      tokens.push(joinTokens(previous, token));
    previous = token;
  }
  return tokens;
};

const joinTokens = (first: Token, second: Token): Token => {
  const accented =
    first.accented === undefined && second.accented === undefined
      ? undefined
      : cutWord((first.accented ?? first.word) + (second.accented ?? second.word));
  return { ...first, word: cutWord(first.word + second.word), accented, isItem: true, end: second.end };
};

const cutWord = (word: string): string => word.slice(0, MAX_WORD_LENGTH).toWellFormed();

/** Returns the place of the last one. */
const addSigns = (tokens: Token[], run: string, runStart: number, placesBefore: number): number => {
  let at = placesBefore;
  let [before, start, end] = ['', runStart, runStart];
  const add = (word: string, from: number, isItem: boolean) => {
    at += 1;
    tokens.push({ word, accented: undefined, at, isItem, start: from, end });
  };
  for (const sign of signsOf(run.replaceAll(FINAL_PROLONGED, ' '))) {
    const from = end;
    end += sign.length;
    if (sign === '・' || sign.trim() === '') continue;
    if (before !== '') add(before + sign, start, false);
    [before, start] = [sign, from];
    add(sign, from, run.length > sign.length);
  }
  return at;
};

/** A lexeme as the text forms of `tsvector` and `tsquery` quote it. Words are letters, marks and digits, and so are their lexemes. */
export const quoteLexeme = (lexeme: string): string => `'${lexeme}'`;

type Word = Pick<Token, 'word' | 'accented'>;

const OWN_LEXEME = new RegExp(`^[${UNSPACED}]`, 'v');
/** A sign of a script without spaces, or a pair of them: no stemmer knows it. */
export const isOwnLexeme = ({ word }: Pick<Token, 'word'>): boolean =>
  word.charCodeAt(0) >= FIRST_UNSPACED && OWN_LEXEME.test(word);

/** All that a stemmer has to know of words. */
export const listForms = (words: readonly Word[]): string[] =>
  words.flatMap(({ word, accented = word }) => (accented === word ? word : [word, accented]));

export type LexemesOf = (word: Word) => readonly string[];

/** Marks the lexeme of a stop word: no other word has one, whatever its stem is. */
export const STOP_SIGN = '=';
const isStop = (lexeme: string): boolean => lexeme.startsWith(STOP_SIGN);
/** Nearly each transcript has each stop word, so only its passages tell. */
export const hasKey = (lexeme: string): boolean => !isStop(lexeme);

/**
 * The lexeme of a word without its accents, and that of the word as it is written, if its ending is another one. A word that only without its
 * accents is a stop word has the second alone: té (tea) is not te (you).
 */
export const createLexemes = (lexemeOf: (form: string) => string): LexemesOf => {
  const known = new Map<string, readonly string[]>();
  const find = (word: string, accented: string): readonly string[] => {
    const lexeme = lexemeOf(word);
    // The word has no accents, so its stem has none that it did not add.
    const plain = lexeme === word ? word : foldMarks(lexeme);
    if (accented === word) return [plain];
    const written = foldMarks(lexemeOf(accented));
    return isStop(plain) && !isStop(written) ? [written] : [...new Set([plain, written])];
  };
  return ({ word, accented = word }) => {
    const lexemes = known.get(accented) ?? find(word, accented);
    known.set(accented, lexemes);
    return lexemes;
  };
};

/** The words of a text as a `tsvector`, whose lexemes are added to those of other texts. */
export const toVector = (
  tokens: readonly PlacedWord[],
  lexemesOf: LexemesOf,
  allLexemes?: Set<string>,
): string => {
  const places = new Map<string, string>();
  for (const token of tokens)
    for (const lexeme of lexemesOf(token)) {
      const entry = places.get(lexeme);
      const start = entry === undefined ? `${quoteLexeme(lexeme)}:` : `${entry},`;
      places.set(lexeme, `${start}${token.at}${token.weight ?? ''}`);
    }
  for (const lexeme of places.keys()) allLexemes?.add(lexeme);
  return [...places.values()].join(' ');
};

/** The lexemes of a `tsvector` that `toVector` wrote. */
export const lexemesIn = (vector: string): string[] =>
  vector === '' ? [] : vector.split(' ').map((entry) => entry.slice(1, entry.lastIndexOf("'")));
