import type { Cue } from '@tds/contracts';

const CUE_CHARACTERS = 250;

/** A text as captions of a second each. */
export const asCaptions = (text: string): Cue[] =>
  Array.from({ length: Math.ceil(text.length / CUE_CHARACTERS) }, (_, n) => ({
    startMs: n * 1_000,
    durationMs: 900,
    text: text.slice(n * CUE_CHARACTERS, (n + 1) * CUE_CHARACTERS),
  }));

/** The same numbers in each run, from 0 to 1. */
const createDraws = (): (() => number) => {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

const fill = (length: number, part: (at: number) => string): string => {
  const parts: string[] = [];
  for (let [at, filled] = [0, 0]; filled < length; at += 1) {
    const next = part(at);
    parts.push(next);
    filled += next.length;
  }
  return parts.join('');
};

/** As a person speaks. */
export const ordinaryText = (length: number): string => {
  const draw = createDraws();
  return fill(length, () => `word${Math.floor(draw() ** 3 * 5_000)}${draw() < 0.1 ? '.' : ''} `);
};

const letters = (from: number, count: number) => (length: number) => {
  const draw = createDraws();
  return fill(length, () => String.fromCodePoint(from + Math.floor(draw() * count)));
};
const repeat = (part: (at: number) => string) => (length: number) => fill(length, part);

/** Texts that a stranger makes to hurt those who read them: how each is made, and a query that finds much in it. */
export const hostileTexts: Readonly<Record<string, readonly [(length: number) => string, query: string]>> = {
  'random Han characters': [letters(0x4e00, 20_000), '一'],
  'few pairs of characters': [repeat((at) => '海港'.charAt(at % 2)), '"海港海港海港海港海港海港"'],
  'different words': [repeat((at) => `${at.toString(36)}x `), '1x'],
  'one word': [repeat(() => 'a'), 'aaaa'],
  'the letters of the alphabet': [
    repeat((at) => `${String.fromCodePoint(97 + (at % 26))} `),
    'a b c d e f g h i j k l m n o p q r s t u v w x y z',
  ],
  'two letters': [repeat((at) => 'ab'.charAt(at % 2).concat(' ')), '"a b a b a b a b a b a b a b a b"'],
  'accents alone': [repeat((at) => (at % 200 ? '\u0301' : 'e')), 'e'],
  'halves of surrogates': [repeat((at) => (at % 3 ? '\ud801' : '\udc28 a')), 'a'],
  'letters of two halves': [letters(0x10400, 80), '𐐨'],
  'turned directions and tags': [repeat(() => '\u202e\u2066a\u{e0041}\u{e0062}\u061c '), 'a'],
  'letters that unfold': [repeat((at) => (at % 9 ? 'ﷺ' : '㌀ ')), 'アパート'],
  'ends of sentences': [repeat(() => 'a. A'), 'a'],
  speakers: [repeat((at) => `>> A${at % 7}: b\n- `), 'b'],
  sounds: [repeat(() => '[a] ♪ '), 'a'],
  abbreviations: [repeat(() => 'Dr. 5. '), 'a'],
  'Markdown and tags': [repeat(() => '](<b>`*_[www.{\\'), 'b'],
};
