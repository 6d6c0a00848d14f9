/** Scripts that put no spaces between words, for a class of a pattern. */
export const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`;

/** By the sign, others that people type for it. */
const SIGNS = { "'": '‘’‛ʻʼ`´′׳', '"': '“”„‟«»″״', '-': '‐‑‒–—―−־' };
/** By what people type, letters that are no other letter with a mark. */
const LETTERS = { ss: 'ß', ae: 'æ', oe: 'œ', l: 'ł', o: 'ø', d: 'đð', h: 'ħ', i: 'ı', σ: 'ς', ا: 'ٱ' };

const createReplacer = (table: Readonly<Record<string, string>>) => {
  const entries = Object.entries(table);
  const replacements = new Map(entries.flatMap(([to, from]) => [...from].map((each) => [each, to])));
  const pattern = new RegExp(`[${entries.map(([, from]) => from).join('')}]`, 'gu');
  return (text: string): string => text.replace(pattern, (each) => replacements.get(each) ?? each);
};
const replaceSigns = createReplacer(SIGNS);
const replaceLetters = createReplacer(LETTERS);

/** Soft hyphens, what has no width, and the Arabic sign that only makes a word longer. */
const unseen = /[\p{Default_Ignorable_Code_Point}\u0640]/gu;
/** Elsewhere marks are vowels, or letters of their own, as Cyrillic и with its breve is. */
const marks = /([\p{sc=Latin}\p{sc=Greek}\p{sc=Arabic}\p{sc=Hebrew}]|\p{sc=Cyrillic}(?!\u0306))\p{Mn}+/gu;
/** Of these only the case differs. */
const plain = /^[\n\r -_a-~]*$/;

/** A text in one case and form, with the signs that people type. Spelling stays. */
export const foldForms = (text: string): string =>
  plain.test(text)
    ? text.toLowerCase()
    : replaceSigns(replaceSigns(text).normalize('NFKC').toLowerCase()).replace(unseen, '').normalize('NFC');

/** A text in one case and form as its words are compared: without accents and vowel marks. */
export const foldMarks = (text: string): string =>
  plain.test(text) ? text : replaceLetters(text).normalize('NFD').replace(marks, '$1').normalize('NFC');

/** A text as it is compared. */
export const foldText = (text: string): string => foldMarks(foldForms(text));

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

type Span = { readonly start: number; readonly end: number };

/** Leads from a part of the folded text to that of the text, in whole characters. */
export const createUnfold = (
  text: string,
  fold: (text: string) => string = foldText,
): ((folded: Span) => Span) => {
  if (plain.test(text)) return (span) => span;
  const places: number[] = [];
  for (const { segment, index } of graphemes.segment(text))
    for (let remaining = fold(segment).length; remaining > 0; remaining -= 1) places.push(index);
  return ({ start, end }) => {
    let next = end;
    while (next < places.length && places[next] === places[end - 1]) next += 1;
    return { start: places[start] ?? text.length, end: places[next] ?? text.length };
  };
};
