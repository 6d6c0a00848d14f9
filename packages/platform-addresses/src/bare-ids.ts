/**
 * What stands around a word of eleven characters on its line: separators, and the words behind them, the one before with its `:` or `=`.
 * Empty at the ends of the line. `isList`: all words of the line have eleven characters.
 */
export type Place = {
  readonly before: string;
  readonly after: string;
  readonly previous: string;
  readonly next: string;
  readonly isList: boolean;
};

/** Words, names of several words, numbers and dates that happen to have the characters of an id. */
const PROSE =
  /^(?:(?:[A-Z]?[a-z]+(?:[-_][A-Z]?[a-z]+)*|[A-Z]+(?:[-_][A-Z]+)*)[-_]*|[\d-]+(?:_[-_]*)?|[A-Za-z][a-z]{2,}(?:[-_]?[A-Z][a-z]+){1,3}|[a-z]{3,}[-_]\d+)$/;
/** What a name or a number made by people changes less often: `iPhone15Pro`, `GPT-4o-mini`. */
const RUN = /[A-Z]?[a-z]+|[A-Z]+|\d+/g;
const RANDOM_RUNS = 5;
const QUOTED_RUNS = 4;

/** The words under which ids stand: `id`, `videoId`, `data-youtube-id`, `docid`, `[youtube]`, `YouTubeVideo`. */
const LABEL =
  /(?:^|[^a-z\d])(?:ids?|vid|yt)$|(?:^|[^a-z\d]|youtube)(?:video|youtube|doc|movie|media)(?:[-_]?ids?|s)?$/i;
const CAMEL_LABEL = /[a-z]Ids?$/;
const LABEL_END = /[=:]{1,2}$/;
/** A value stands in quotes behind the name that it has. */
const QUOTE = /["'\u201c\u201d\u2018\u2019]/;
const ASSIGNED = /^[[{(]?$/;
/** Before or behind a cell: of commas and semicolons only such without a space, as tables have them. */
const CELL_START = /^["']?$|^["']?[,;]["']?$|\t["']?$|\|\s?$/;
const CELL_END = /^["']?$|^["']?[,;]["']?$|^["']?\t|^\s?\|/;
const BULLET = /^(?:[-*+\u2022#]{1,3}|\d{1,4}[.)]?)$/;
/** Between an id and its title. */
const MARK = /^[-\u2013\u2014#:]$/;

const countRuns = (id: string): number => id.match(RUN)?.length ?? 0;
const hasBothCases = (id: string): boolean => /[a-z]/.test(id) && /[A-Z]/.test(id);
const looksRandom = (id: string): boolean => hasBothCases(id) && /\d/.test(id) && countRuns(id) >= RANDOM_RUNS;

/** `"key":` or `key=`: what follows is the value, the word itself is none. */
const isKey = ({ next }: Place): boolean => /^[=:](?!\/)/.test(next);

/** The name before a value, without the sign between them. */
const labelOf = ({ previous }: Place): string => previous.replace(LABEL_END, '');

const isCell = ({ before, after, previous, next, isList }: Place): boolean => {
  const startsCell =
    previous === '' ||
    BULLET.test(previous) ||
    MARK.test(previous) ||
    (before !== '' && CELL_START.test(before));
  const endsCell = next === '' || MARK.test(next) || (after !== '' && CELL_END.test(after));
  return isList || (startsCell && endsCell);
};

/** An element of a list of quoted texts, or one in brackets behind a name of a file: `Title [ID].mkv`. */
const isBracketed = ({ before, after, next }: Place): boolean =>
  /\[\s*["']$/.test(before) ||
  /^["']\s*,\s*["']$/.test(before) ||
  (before.endsWith('[') && after.startsWith(']') && /^\.\w/.test(next));

/**
 * True if a word of eleven characters is meant as the id of a video: by its place (a cell, a list, behind `youtube` or `id`), or because no
 * word looks like it.
 */
export const isMeantAsId = (word: string, place: Place): boolean => {
  if (PROSE.test(word) || isKey(place) || place.previous === 'base64') return false;
  const label = labelOf(place);
  if (LABEL.test(label) || CAMEL_LABEL.test(label)) return true;
  const isQuoted = QUOTE.test(place.before.slice(-1)) && QUOTE.test(place.after.slice(0, 1));
  const hasOtherLabel =
    LABEL_END.test(place.previous) && ASSIGNED.test(place.before.replaceAll(new RegExp(QUOTE, 'g'), '').trim());
  if (isBracketed(place)) return true;
  if (isQuoted && hasOtherLabel) return false;
  if (isCell(place)) return true;
  return looksRandom(word) || (isQuoted && hasBothCases(word) && countRuns(word) >= QUOTED_RUNS);
};
