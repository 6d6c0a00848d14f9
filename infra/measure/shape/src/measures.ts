import type { SizedFunction } from './functions.ts';
import type { Part, SourceFile } from './tree.ts';

export type Measure = {
  readonly what: string;
  readonly now: number;
  readonly wanted: 'at most' | 'at least';
  readonly goal: number;
  /** The command fails beyond it: the goal, or the figure of the day if the goal is still missed. */
  readonly limit: number;
};

export const MAX_FUNCTION_LINES = 50;

const most = (what: string, now: number, goal: number, limit = goal): Measure => {
  return { what, now, wanted: 'at most', goal, limit };
};

const countLines = (files: readonly SourceFile[]): number => files.reduce((sum, { lines }) => sum + lines, 0);

/** Migrations create tables once and are never read again, so they are no weight. */
const filesOf = (files: readonly SourceFile[], part: Part): SourceFile[] =>
  files.filter((file) => file.part === part && file.kind !== 'migration');

const linesOf = (files: readonly SourceFile[], part: Part): number => countLines(filesOf(files, part));

/** The product's lines in each package or service. `budget` has their limits; a new package has none until it is there. */
export const packageMeasures = (
  files: readonly SourceFile[],
  budget: Readonly<Record<string, number>>,
): readonly Measure[] => {
  const packages = Map.groupBy(filesOf(files, 'product'), ({ path }) => path.split('/', 2).join('/'));
  return [...packages].map(([name, own]) => most(`Lines of ${name}`, countLines(own), budget[name] ?? 0));
};

/** Each source file but SQL, styles and tests. The client in Python is one module, to copy. */
const isSource = ({ part, kind, path }: SourceFile): boolean =>
  part !== 'tests' && kind === 'typescript' && !path.endsWith('.py');

const longest = (sized: readonly { readonly lines: number }[]): number =>
  Math.max(0, ...sized.map(({ lines }) => lines));

/** Of a missed goal, the limit is the figure of the day: a commit that betters the figure lowers it. No limit is ever raised. */
export const measuresOf = (
  files: readonly SourceFile[],
  functions: readonly SizedFunction[],
  words: number,
): readonly Measure[] => {
  const product = linesOf(files, 'product');
  return [
    most('Lines of product, with SQL', product, 68_000, 68_415),
    most('Lines of tools', linesOf(files, 'tools'), 17_000),
    most('Lines of a source file, longest', longest(files.filter(isSource)), 250),
    most('Lines of an SQL file, longest', longest(files.filter(({ kind }) => kind === 'sql')), 200),
    most('Lines of a function, longest', longest(functions), MAX_FUNCTION_LINES),
    {
      what: 'Lines of tests per line of product',
      now: linesOf(files, 'tests') / product,
      wanted: 'at least',
      goal: 1.2,
      limit: 1.2,
    },
    most('Words of documents', words, 53_000),
  ];
};

const isWithin = ({ now, wanted }: Measure, bound: number): boolean =>
  wanted === 'at most' ? now <= bound : now >= bound;

export const isBeyond = (measure: Measure): boolean => !isWithin(measure, measure.limit);

const standingOf = (measure: Measure): string => {
  if (isBeyond(measure)) return `BEYOND ${measure.limit}`;
  return isWithin(measure, measure.goal) ? 'met' : `missed, fails beyond ${measure.limit}`;
};

/** A table with one row per measure. */
export const goalTable = (measures: readonly Measure[]): string =>
  [
    '| Measure | now | goal | |',
    '|---|---|---|---|',
    ...measures.map((measure) => {
      const { what, now, wanted, goal } = measure;
      const figure = Number.isInteger(now) ? now : now.toFixed(2);
      return `| ${what} | ${figure} | ${wanted} ${goal} | ${standingOf(measure)} |`;
    }),
  ].join('\n');
