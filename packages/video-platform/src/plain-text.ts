// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
const PADDING = /[\u200b\ufeff]/g;

const HALF_AT_THE_END = /[\ud800-\udbff]$/;

/** The first `most` UTF-16 units, without half a character at the end. */
const cutTo = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(HALF_AT_THE_END, '');

/** Text of one line of at most `most` UTF-16 units: no control characters, no lone surrogates, no outer space. */
export const plainLine = (text: string, most: number): string =>
  cutTo(text, most).toWellFormed().replace(CONTROLS, '').replace(/\s+/g, ' ').trim();

/** The same with every space as its author set it: a title that others compare letter by letter. */
export const exactLine = (text: string, most: number): string =>
  cutTo(text, most)
    .toWellFormed()
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]/g, ' ')
    .replace(CONTROLS, '');

/** Caption text: `\n` as its only line break, without zero-width padding or characters that no file may hold. */
export const captionText = (text: string): string =>
  text.toWellFormed().replace(/\r\n?/g, '\n').replace(CONTROLS, '').replace(PADDING, '').trim();
