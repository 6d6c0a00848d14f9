const lineBreaks = /\r\n?|[\n\v\f\u0085\u2028\u2029]/g;
// The platform pads styled captions with zero width spaces; joiners (U+200C, U+200D) carry meaning and stay.
const unwanted = /[[\p{Cc}\u200b\u2060\ufeff]--\n]/gv;
const visible = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

export const hasVisibleText = (text: string): boolean => visible.test(text);

// Most of what is said: such a line stays as it is, and the search for unwanted characters costs more than all else here.
const plainAscii = /^[!-~](?:[ -~]*[!-~])?$/;

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
export const cleanText = (text: string): string => (plainAscii.test(text) ? text : cleaned(text));

/** Clean text on one line. */
export const singleLine = (text: string): string => text.replaceAll('\n', ' ');
