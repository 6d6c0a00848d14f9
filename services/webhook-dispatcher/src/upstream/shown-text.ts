import { LONGEST_SHOWN_ANSWER } from '@tds/contracts';

/** Databases take no NUL, and pages no other control characters. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;

/** The beginning of an answer. Bytes of no known encoding, such as compressed ones, become the sign for what cannot be shown. */
export const shownText = (chunks: readonly Buffer[]): string =>
  Buffer.concat(chunks)
    .subarray(0, LONGEST_SHOWN_ANSWER)
    .toString('utf8')
    .replace(CONTROLS, '\ufffd')
    .slice(0, LONGEST_SHOWN_ANSWER);
