import clauses from './clause-words.json' with { type: 'json' };

/** Closed classes of a language: lines of words with spaces between them. */
type ClauseLists = {
  /** They end no clause: articles, prepositions, conjunctions, auxiliaries, possessives, subjects, question words. */
  readonly open: readonly string[];
  /** They begin one. */
  readonly begin: readonly string[];
  /** They end one, where verbs stand last. */
  readonly end?: readonly string[];
  /** The language joins them to other words: they are the ends of words, and the beginnings. */
  readonly byEnding?: boolean;
};

/** How clauses of a language begin and end. */
export type ClauseWords = {
  endsNoClause(word: string): boolean;
  endsClause(word: string): boolean;
  beginsClause(word: string): boolean;
};

const listed: Readonly<Record<string, ClauseLists>> = clauses;

const readList = (lines: readonly string[]): string[] => lines.flatMap((line) => line.split(' '));

/** Every way to write the words, so that a text need not be folded to be compared. */
const writeForms = (lines: readonly string[]): ReadonlySet<string> => {
  const words = readList(lines).flatMap((word) => [word, word.replaceAll("'", '’')]);
  const capitals = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return new Set([...words, ...capitals, ...words.map((word) => word.toUpperCase())]);
};

const compareWords = ({ open, begin, end = [] }: ClauseLists): ClauseWords => {
  const [opening, beginning, ending] = [writeForms(open), writeForms(begin), writeForms(end)];
  return {
    endsNoClause: (word) => opening.has(word),
    endsClause: (word) => ending.has(word),
    beginsClause: (word) => beginning.has(word),
  };
};

const compareEndings = ({ open, begin, end = [] }: ClauseLists): ClauseWords => {
  const [opening, beginning, ending] = [readList(open), readList(begin), readList(end)];
  const endsClause = (word: string) => ending.some((each) => word.endsWith(each));
  return {
    endsNoClause: (word) => !endsClause(word) && opening.some((each) => word.endsWith(each)),
    endsClause,
    beginsClause: (word) => beginning.some((each) => word.startsWith(each)),
  };
};

const languages = new Map<string, ClauseWords>();

/** The clause words of a language tag, read once; null if there is no list. */
export const findClauseWords = (language: string): ClauseWords | null => {
  const code = language.split(/[-_]/, 1)[0]?.toLowerCase() ?? '';
  const lists = Object.hasOwn(listed, code) ? listed[code] : undefined;
  if (lists === undefined) return null;
  const words = languages.get(code) ?? (lists.byEnding ? compareEndings(lists) : compareWords(lists));
  languages.set(code, words);
  return words;
};
