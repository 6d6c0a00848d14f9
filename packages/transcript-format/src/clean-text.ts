const lineBreaks = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;
// The platform pads styled captions with zero width spaces; joiners (U+200C, U+200D) carry meaning and stay.
const unwanted = /[[\p{Cc}\u200b\u2060\ufeff]--\n]/gv;
const visible = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

export const hasVisibleText = (text: string): boolean => visible.test(text);

// Most of what is said stays as it is, and to find out by what is unwanted costs more than all else here. So what is known to be
// clean is looked for first: lines of Latin letters and common punctuation, with no space around them.
const plainLine =
  '[!-~\\u00a1-\\u00ac\\u00ae-\\u02ff](?:[ -~\\u00a1-\\u02ff\\u2010-\\u2027]*[!-~\\u00a1-\\u02ff\\u2010-\\u2027])?';
const plainText = new RegExp(`^${plainLine}(?:\\n${plainLine})*$`);

const cleaned = (text: string): string =>
  text
    .toWellFormed()
    .replace(lineBreaks, '\n')
    .replaceAll('\t', ' ')
    .replace(unwanted, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(hasVisibleText)
    .join('\n');

/** Well-formed text whose lines are trimmed, visible and separated by "\n"; empty when nothing can be seen. */
export const cleanText = (text: string): string => (plainText.test(text) ? text : cleaned(text));

/** Clean text on one line. */
export const singleLine = (text: string): string => text.replaceAll('\n', ' ');
