import { INNER_SIGNS, LATIN_RULE, LETTER_RULES, SIGN_RULE } from './fold-rules.ts';

/** Scripts that put no spaces between words, for a class of a pattern. */
export const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`;

/** By the sign, others that people type for it. */
const SIGNS = { "'": '‘’‛ʻʼ`´′׳', '"': '“”„‟«»″״', '-': '‐‑‒–—―−־' };
const signs = new Map(Object.entries(SIGNS).flatMap(([to, from]) => [...from].map((each) => [each, to])));
const signPattern = new RegExp(`[${Object.values(SIGNS).join('')}]`, 'gu');
const replaceSigns = (text: string): string => text.replace(signPattern, (each) => signs.get(each) ?? each);

/** Soft hyphens, what has no width but the non-joiner, which separates words of Persian, and the Arabic sign that only makes a word longer. */
const unseen = /[[\p{Default_Ignorable_Code_Point}\u0640]--[\u200c]]/gv;
/** Elsewhere marks are vowels, or letters of their own, as Cyrillic и with its breve is. */
const marks = /([\p{sc=Latin}\p{sc=Greek}\p{sc=Arabic}\p{sc=Hebrew}]|\p{sc=Cyrillic}(?!\u0306))\p{Mn}+/gu;
/** Of these only the case differs. */
const plain = /^[\n\r -_a-~]*$/;
/** Letters with accents, and signs of print: most texts of Europe. No rule of a script has anything to change. */
const european = /^[\0-\x7f\xa1-\xa6\xab\xad\xb0\xb4\xbf-\xff\u0100-\u017f\u2010-\u2026]*$/;

/** Between letters of Arabic; it separates what may be written as one word or as two. */
export const NON_JOINER = '\u200c';

const foldScripts = (text: string): string => {
  const forms = replaceSigns(SIGN_RULE.apply(text)).normalize('NFKC').toLowerCase();
  return LETTER_RULES.reduce((folded, { apply }) => apply(folded), replaceSigns(forms).replace(unseen, ''));
};

/** A text in one case and form, with the signs that people type. Spelling stays, but for what writers of a script take for the same. */
export const foldForms = (text: string): string => {
  if (plain.test(text)) return text.toLowerCase();
  if (!european.test(text)) return foldScripts(text).normalize('NFC');
  return replaceSigns(text).normalize('NFKC').toLowerCase().replace(unseen, '').normalize('NFC');
};

/** A text in one case and form as its words are compared: without accents and vowel marks. */
export const foldMarks = (text: string): string =>
  plain.test(text) ? text : LATIN_RULE.apply(text).normalize('NFD').replace(marks, '$1').normalize('NFC');

/** A text as it is compared. */
export const foldText = (text: string): string => foldMarks(foldForms(text));

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

type Span = { readonly start: number; readonly end: number };

/** Leads from a part of the folded text to that of the text, in whole characters. */
export const createUnfold = (
  text: string,
  fold: (text: string) => string = foldText,
): ((folded: Span) => Span) => {
  if (plain.test(text)) return (span) => span;
  const places: number[] = [];
  const inner = new Set(
    replaceSigns(text)
      .matchAll(INNER_SIGNS)
      .map(({ index }) => index),
  );
  for (const { segment, index } of graphemes.segment(text))
    for (let remaining = inner.has(index) ? 0 : fold(segment).length; remaining > 0; remaining -= 1)
      places.push(index);
  return ({ start, end }) => {
    let next = end;
    while (next < places.length && places[next] === places[end - 1]) next += 1;
    return { start: places[start] ?? text.length, end: places[next] ?? text.length };
  };
};
