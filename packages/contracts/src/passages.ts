/** The most characters of a passage, by default: a paragraph that is easy to read. */
export const PASSAGE_CHARACTERS = 700;
/** What a caller may choose. */
export const MIN_PASSAGE_CHARACTERS = 200;
export const MAX_PASSAGE_CHARACTERS = 8_000;
/** Of a match: the first places of its words. With so many there may be more. */
export const MAX_MATCH_PASSAGES = 5;
