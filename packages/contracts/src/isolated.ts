/** Hebrew, Arabic, Syriac, Thaana, N'Ko and later scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Texts that stand beside each other in one plain text. One from right to left turns the numbers beside it around, so that a date reads as
 * another day: then each gets its own direction (U+2068, U+2069). On a page `bdi` does the same.
 */
export const isolated = (texts: readonly string[]): readonly string[] =>
  texts.some((text) => RIGHT_TO_LEFT.test(text)) ? texts.map((text) => `\u2068${text}\u2069`) : texts;

/** One such text, to be put among others. */
export const isolate = (text: string): string => isolated([text]).join('');
