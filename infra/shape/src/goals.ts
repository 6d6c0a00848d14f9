import type { SizedFunction } from './functions.ts';
import { at, linesOf, testsToSource, unitSizes } from './sizes.ts';
import type { SourceFile } from './source-files.ts';

export type Measure = {
  readonly what: string;
  readonly now: number;
  readonly wanted: 'at most' | 'at least';
  readonly goal: number;
  /** Beyond it the command fails: the goal, or where that is missed still, what it was when this was written. */
  readonly limit: number;
};

export const LONGEST_FUNCTION = 50;

const most = (what: string, now: number, goal: number, limit = goal): Measure => ({
  ...{ what, now, wanted: 'at most', goal, limit },
});
const least = (what: string, now: number, goal: number, limit = goal): Measure => ({
  ...{ what, now, wanted: 'at least', goal, limit },
});

/** Those of the style guide. Whoever betters a figure that misses its goal moves its limit along. */
export const measuresOfSources = (
  files: readonly SourceFile[],
  functions: readonly SizedFunction[],
): Measure[] => {
  const lengthsOf = (kind: SourceFile['kind']) =>
    files.filter((file) => file.kind === kind).map(({ lines }) => lines);
  const [source, sql] = [lengthsOf('source'), lengthsOf('sql')];
  const bodies = functions.map(({ lines }) => lines);
  const tooLong = bodies.filter((lines) => lines > LONGEST_FUNCTION).length;
  const migrations = Math.max(...unitSizes(files).map((unit) => unit.migrations));
  return [
    most('Lines of a source file, median', at(source, 0.5), 120),
    most('Lines of a source file, 90th percentile', at(source, 0.9), 200),
    most('Lines of a source file, longest', at(source, 1), 250),
    most('Lines of a function, median', at(bodies, 0.5), 12),
    most(`Functions of more than ${LONGEST_FUNCTION} lines`, tooLong, 0, 3),
    most('Lines of an SQL file, median', at(sql, 0.5), 150),
    most('Lines of an SQL file, 90th percentile', at(sql, 0.9), 250),
    most('Lines of an SQL file, longest', at(sql, 1), 250, 400),
    most('Migrations of a unit', migrations, 2),
    least('Lines of tests for a line of source', testsToSource(files), 1, 0.91),
  ];
};

export const measuresOfColdPath = (passed: readonly SourceFile[]): Measure[] => [
  most('Files that one cold transcript passes', passed.length, 120, 166),
  most('Lines of these files', linesOf(passed), 8_500, 10_043),
];

const isWithin = ({ now, wanted }: Measure, bound: number): boolean =>
  wanted === 'at most' ? now <= bound : now >= bound;

export const isBeyond = (measure: Measure): boolean => !isWithin(measure, measure.limit);

const standingOf = (measure: Measure): string => {
  if (isBeyond(measure)) return `BEYOND ${measure.limit}`;
  return isWithin(measure, measure.goal) ? 'met' : `missed, fails beyond ${measure.limit}`;
};

/** One row for each; a goal that is missed says so. */
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
