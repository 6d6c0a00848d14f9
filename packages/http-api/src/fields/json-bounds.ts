import { serviceError } from '@tds/errors';

/** Several times the depth of our deepest body. */
const MAX_DEPTH = 16;
/** Brackets, commas and colons outside of strings: ten times those of our longest list. */
const MAX_MARKS = 10_000;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** The change of depth by a mark, by its code. */
const depths = new Map([...'{['].map((mark) => [mark.charCodeAt(0), 1]));
for (const mark of '}]') depths.set(mark.charCodeAt(0), -1);
for (const mark of ',:') depths.set(mark.charCodeAt(0), 0);
/** A table, because it is read for each character of up to 4 MiB. */
const isMark = Uint8Array.from({ length: 0x80 }, (_, code) => (depths.has(code) ? 1 : 0));

/** A quote behind an odd number of backslashes is one of the text. */
const isEscaped = (text: string, quote: number): boolean => {
  let at = quote - 1;
  while (text.charCodeAt(at) === BACKSLASH) at -= 1;
  return (quote - at) % 2 === 0;
};

const findTextEnd = (text: string, from: number): number => {
  let quote = text.indexOf('"', from);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote;
};

const refuse = (what: string) =>
  serviceError('invalid_json', { message: `The request body ${what} than any route takes.` });

/**
 * Rejects a text before it is parsed if it would keep a parser busy and no route takes it. Linear: about ten milliseconds for the
 * largest body. Throws `invalid_json`.
 */
export const boundJson = (text: string): void => {
  let [depth, marks] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = findTextEnd(text, at + 1);
    else if (isMark[code] === 1) {
      depth += depths.get(code) ?? 0;
      marks += 1;
      if (depth > MAX_DEPTH) throw refuse('is nested deeper');
      if (marks > MAX_MARKS) throw refuse('has more values and names');
    }
  }
};
