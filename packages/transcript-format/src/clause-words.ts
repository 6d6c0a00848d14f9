import { ar } from './clauses/ar.ts';
import { de } from './clauses/de.ts';
import { en } from './clauses/en.ts';
import { es } from './clauses/es.ts';
import { fr } from './clauses/fr.ts';
import { hi } from './clauses/hi.ts';
import { id } from './clauses/id.ts';
import { it } from './clauses/it.ts';
import { ja } from './clauses/ja.ts';
import { ko } from './clauses/ko.ts';
import { nl } from './clauses/nl.ts';
import { pl } from './clauses/pl.ts';
import { pt } from './clauses/pt.ts';
import { ru } from './clauses/ru.ts';
import { sv } from './clauses/sv.ts';
import { tr } from './clauses/tr.ts';
import { uk } from './clauses/uk.ts';
import { zh } from './clauses/zh.ts';

/** Closed classes of a language, separated by spaces. */
type ClauseLists = {
  /** They end no clause: articles, prepositions, conjunctions, auxiliaries, possessives, subjects, question words. */
  readonly open: string;
  /** They begin one. */
  readonly begin: string;
  /** They end one, where verbs stand last. */
  readonly end?: string;
  /** The language joins them to other words: they are the ends of words, and the beginnings. */
  readonly byEnding?: boolean;
};

/** How clauses of a language begin and end. */
export type ClauseWords = {
  endsNoClause(word: string): boolean;
  endsClause(word: string): boolean;
  beginsClause(word: string): boolean;
};

const listed: Readonly<Record<string, ClauseLists>> = {
  ...{ ar, de, en, es, fr, hi, id, it, ja, ko, nl, pl, pt, ru, sv, tr, uk, zh },
};

const readList = (list: string): string[] => list.split(/\s+/).filter((word) => word !== '');

/** Every way to write the words, so that a text need not be folded to be compared. */
const writeForms = (list: string): ReadonlySet<string> => {
  const words = readList(list).flatMap((word) => [word, word.replaceAll("'", '’')]);
  const capitals = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return new Set([...words, ...capitals, ...words.map((word) => word.toUpperCase())]);
};

const compareWords = ({ open, begin, end = '' }: ClauseLists): ClauseWords => {
  const [opening, beginning, ending] = [writeForms(open), writeForms(begin), writeForms(end)];
  return {
    endsNoClause: (word) => opening.has(word),
    endsClause: (word) => ending.has(word),
    beginsClause: (word) => beginning.has(word),
  };
};

const compareEndings = ({ open, begin, end = '' }: ClauseLists): ClauseWords => {
  const [opening, beginning, ending] = [readList(open), readList(begin), readList(end)];
  const endsClause = (word: string) => ending.some((each) => word.endsWith(each));
  return {
    endsNoClause: (word) => !endsClause(word) && opening.some((each) => word.endsWith(each)),
    endsClause,
    beginsClause: (word) => beginning.some((each) => word.startsWith(each)),
  };
};

/** The clause words of a language tag; null if there is no list. */
export const findClauseWords = (language: string): ClauseWords | null => {
  const code = language.split(/[-_]/, 1)[0]?.toLowerCase() ?? '';
  const lists = Object.hasOwn(listed, code) ? listed[code] : undefined;
  if (lists === undefined) return null;
  return lists.byEnding ? compareEndings(lists) : compareWords(lists);
};
