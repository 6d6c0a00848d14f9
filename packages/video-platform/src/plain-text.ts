// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
const PADDING = /[\u200b\ufeff]/g;

/** Text of one line: no control characters, no lone surrogates, no outer space. */
export const plainLine = (text: string): string =>
  text.toWellFormed().replace(CONTROLS, '').replace(/\s+/g, ' ').trim();

/** Caption text: `\n` as its only line break, without zero-width padding or characters that no file may hold. */
export const captionText = (text: string): string =>
  text.toWellFormed().replace(/\r\n?/g, '\n').replace(CONTROLS, '').replace(PADDING, '').trim();
