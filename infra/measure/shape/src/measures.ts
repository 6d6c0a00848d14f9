import type { SizedFunction } from './functions.ts';
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
  return [...packages].map(([name, packageFiles]) =>
    atMost(`Lines of ${name}`, countLines(packageFiles), budget[name] ?? 0),
  );
};

/** Each source file but SQL, styles and tests. The client in Python is one module, to copy. */
const isSource = ({ part, kind, path }: SourceFile): boolean =>
  part !== 'tests' && kind === 'typescript' && !path.endsWith('.py');

const maxLines = (sized: readonly { readonly lines: number }[]): number =>
  Math.max(0, ...sized.map(({ lines }) => lines));

/** Of a missed goal, the limit is the figure of the day: a commit that betters the figure lowers it. No limit is ever raised. */
export const measuresOf = (
  files: readonly SourceFile[],
  functions: readonly SizedFunction[],
  words: number,
): readonly Measure[] => {
  const product = linesOf(files, 'product');
  return [
    atMost('Lines of product, with SQL', product, 70_000, 72_048),
    atMost('Lines of tools', linesOf(files, 'tools'), 16_400, 17_162),
    atMost('Lines of a source file, longest', maxLines(files.filter(isSource)), 250),
    atMost('Lines of an SQL file, longest', maxLines(files.filter(({ kind }) => kind === 'sql')), 200),
    atMost('Lines of a function, longest', maxLines(functions), MAX_FUNCTION_LINES),
    {
      title: 'Lines of tests per line of product',
      now: linesOf(files, 'tests') / product,
      comparison: 'at least',
      goal: 1.2,
      limit: 1.2,
    },
    atMost('Words of documents', words, 50_000),
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
