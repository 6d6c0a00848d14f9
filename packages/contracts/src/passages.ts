/** The most characters of a passage, by default: a paragraph that is easy to read. */
export const PASSAGE_CHARACTERS = 700;
/** What a caller may choose. */
export const MIN_PASSAGE_CHARACTERS = 200;
export const MAX_PASSAGE_CHARACTERS = 8_000;
/** Of a match: the first places of its words. With so many there may be more. */
export const MAX_MATCH_PASSAGES = 5;
/** Of a query in the language of searches in a library, in characters of UTF-16, as all that follow. */
export const MAX_LIBRARY_QUERY_LENGTH = 200;
/** Words that stand far apart are cut. */
export const MAX_MATCH_LENGTH = 300;
export const MAX_SENTENCE_LENGTH = 400;
/** Of a video, from a second on. */
export const MAX_URL_LENGTH = 100;
