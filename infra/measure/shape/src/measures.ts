import { functionsIn, linesOfSqlFunctions, weightOf } from './functions.ts';
import type { Part, SourceFile } from './tree.ts';

export type Measure = {
  readonly title: string;
  readonly now: number;
  readonly comparison: 'at most' | 'at least';
  readonly goal: number;
  /** The command fails beyond it: the goal, or the figure of the day if the goal is still missed. */
  readonly limit: number;
};

export const MAX_FUNCTION_LINES = 50;

const atMost = (title: string, now: number, goal: number, limit = goal): Measure => {
  return { title, now, comparison: 'at most', goal, limit };
};

/** Migrations create tables once and are never read again, so they are no weight. */
const filesOf = (files: readonly SourceFile[], part: Part): SourceFile[] =>
  files.filter((file) => file.part === part && file.kind !== 'migration');

const linesOf = (files: readonly SourceFile[], part: Part): number =>
  filesOf(files, part).reduce((sum, { lines }) => sum + lines, 0);

/** Each source file but SQL, styles and tests. The client in Python is one module, to copy. */
const isSource = ({ part, kind, path }: SourceFile): boolean =>
  part !== 'tests' && kind === 'typescript' && !path.endsWith('.py');

const maxLines = (sized: readonly { readonly lines: number }[]): number =>
  Math.max(0, ...sized.map(({ lines }) => lines));

/**
 * The limit of the product is set once for a release: its weight at the release before, what its issues allow, and a
 * reserve of two parts in a hundred, so that a first change lands. Of any other missed goal it is the figure of the day.
 */
export const measuresOf = (files: readonly SourceFile[], words: number): readonly Measure[] => {
  const weight = filesOf(files, 'product').reduce((sum, file) => sum + weightOf(file), 0);
  return [
    atMost('Nodes of product, and words of its SQL', weight, 442_600, 490_000),
    atMost('Lines of tools', linesOf(files, 'tools'), 16_400, 17_650),
    atMost('Lines of a source file, longest', maxLines(files.filter(isSource)), 250),
    atMost('Lines of an SQL file, longest', maxLines(files.filter(({ kind }) => kind === 'sql')), 200),
    atMost('Lines of a function, longest', maxLines(functionsIn(files)), MAX_FUNCTION_LINES),
    atMost('Lines of an SQL function, longest', maxLines(linesOfSqlFunctions(files)), 60),
    {
      title: 'Lines of tests per line of product',
      now: linesOf(files, 'tests') / linesOf(files, 'product'),
      comparison: 'at least',
      goal: 1.2,
      limit: 1.2,
    },
    atMost('Words that a newcomer reads', words, 6_000),
  ];
};

const isWithin = ({ now, comparison }: Measure, bound: number): boolean =>
  comparison === 'at most' ? now <= bound : now >= bound;

export const isBeyond = (measure: Measure): boolean => !isWithin(measure, measure.limit);

const findDifference = (measure: Measure): string => {
  if (isBeyond(measure)) return `BEYOND ${measure.limit}`;
  return isWithin(measure, measure.goal) ? 'met' : `missed, fails beyond ${measure.limit}`;
};

/** A table with one row per measure. */
export const goalTable = (measures: readonly Measure[]): string =>
  [
    '| Measure | now | goal | |',
    '|---|---|---|---|',
    ...measures.map((measure) => {
      const { title, now, comparison, goal } = measure;
      const figure = Number.isInteger(now) ? now : now.toFixed(2);
      return `| ${title} | ${figure} | ${comparison} ${goal} | ${findDifference(measure)} |`;
    }),
  ].join('\n');
