/** The most characters of a passage, by default: a paragraph that is easy to read. */
export const PASSAGE_CHARACTERS = 700;
/** What a caller may choose. */
export const MIN_PASSAGE_CHARACTERS = 200;
export const MAX_PASSAGE_CHARACTERS = 8_000;
