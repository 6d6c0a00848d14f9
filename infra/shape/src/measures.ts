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
const least = (what: string, now: number, goal: number, limit = goal): Measure => {
  return { what, now, wanted: 'at least', goal, limit };
};

const quantile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? 0;

const linesOf = (files: readonly SourceFile[]): number => files.reduce((sum, { lines }) => sum + lines, 0);

/** Migrations create tables once and are never read again, so they are no weight. */
const codeOf = (files: readonly SourceFile[], part: Part): SourceFile[] =>
  files.filter((file) => file.part === part && file.kind !== 'migration');

export type UnitSize = {
  readonly unit: string;
  readonly part: Part;
  readonly files: number;
  readonly lines: number;
  readonly median: number;
  readonly largest: number;
  readonly tests: number;
};

/** The size of each package, with its lines of tests. */
export const unitSizes = (files: readonly SourceFile[]): UnitSize[] =>
  [...Map.groupBy(files, ({ unit }) => unit)].map(([unit, all]) => {
    const parts: readonly Part[] = ['product', 'site', 'dashboard', 'clients', 'tools', 'tests'];
    const part = parts.find((one) => all.some((file) => file.part === one)) ?? 'tests';
    const code = codeOf(all, part);
    const lengths = code.map(({ lines }) => lines);
    return {
      unit,
      part,
      files: code.length,
      lines: linesOf(code),
      median: quantile(lengths, 0.5),
      largest: quantile(lengths, 1),
      tests: part === 'tests' ? 0 : linesOf(codeOf(all, 'tests')),
    };
  });

const testsPerLine = (units: readonly UnitSize[]): number =>
  Math.min(...units.map(({ tests, lines }) => tests / lines));

/** Of each source file but SQL, styles and tests. The client in Python is one module, to copy. */
const lengthsOf = (files: readonly SourceFile[]): number[] =>
  files
    .filter(
      ({ part, kind, path }) => part !== 'tests' && kind === 'typescript' && !path.startsWith('clients/'),
    )
    .map(({ lines }) => lines);

/** The measures of the sources. A commit that betters a missed goal lowers its limit. */
export const measuresOfSources = (
  files: readonly SourceFile[],
  functions: readonly SizedFunction[],
): Measure[] => {
  const [product, clients, tools, tests] = (['product', 'clients', 'tools', 'tests'] as const).map((part) =>
    codeOf(files, part),
  ) as [SourceFile[], SourceFile[], SourceFile[], SourceFile[]];
  const units = unitSizes(files);
  const services = units.filter(({ unit }) => unit.startsWith('services/'));
  const money = services.filter(({ unit }) => /credits-ledger|billing/.test(unit));
  const packages = units.filter(({ unit, part }) => part === 'product' && unit.startsWith('packages/'));
  const sql = files.filter(({ kind }) => kind === 'sql');
  const sources = [...product, ...clients, ...tools].filter(({ kind }) => kind !== 'sql');
  const lengths = lengthsOf(files);
  const bodies = functions.map(({ lines }) => lines);
  const tooLong = bodies.filter((lines) => lines > MAX_FUNCTION_LINES).length;
  return [
    most('Lines of product, with SQL', linesOf(product), 51_500, LIMITS.product),
    most('Lines of the site', linesOf(codeOf(files, 'site')), 3_300),
    most('Lines of the dashboard', linesOf(codeOf(files, 'dashboard')), 5_500),
    most('Lines of clients', linesOf(clients), 3_900),
    most('Lines of tools', linesOf(tools), 14_000, LIMITS.tools),
    most(
      'Lines of the largest package',
      Math.max(...packages.map(({ lines }) => lines)),
      5_000,
      LIMITS.package,
    ),
    most('Source files', sources.length - clients.length, 900, LIMITS.files),
    most('SQL files', sql.length, 25),
    most(
      'Lines of an SQL file, longest',
      quantile(
        sql.map(({ lines }) => lines),
        1,
      ),
      250,
      LIMITS.sql,
    ),
    most('Lines of a source file, longest', quantile(lengths, 1), 250),
    most('Lines of a function, median', quantile(bodies, 0.5), 12),
    most(`Functions of more than ${MAX_FUNCTION_LINES} lines`, tooLong, 0, LIMITS.longFunctions),
    least('Lines of tests per line of product', linesOf(tests) / linesOf(product), 1.2, LIMITS.tests),
    least('The same, of the service with the fewest', testsPerLine(services), 0.9, LIMITS.testsOfService),
    least('The same, of ledger and billing', testsPerLine(money), 1.5, LIMITS.testsOfMoney),
  ];
};

/** What the tree has where it misses a goal, with room for the repairs of the field's findings. Limits otherwise only move towards the goals. */
const LIMITS = {
  product: 64_500,
  tools: 21_000,
  package: 5_900,
  files: 985,
  sql: 343,
  longFunctions: 0,
  tests: 1.2,
  testsOfService: 0.9,
  testsOfMoney: 1.5,
  commandNames: 5,
  unclearWords: 14,
  words: 51_500,
  coldFiles: 134,
  coldLines: 4_700,
};

/** The measure of `slowPatterns`. */
export const measureOfPatterns = (slow: number): Measure =>
  most('Patterns that take longer than the length of a text', slow, 0);

/** The measures of what people read. */
export const measuresOfWords = (
  words: number,
  unclear: number,
  filesPerCommand: readonly number[],
): Measure[] => [
  most(
    'Product files that name a public command, median',
    quantile(filesPerCommand, 0.5),
    4,
    LIMITS.commandNames,
  ),
  most('Unclear words in code', unclear, 100, LIMITS.unclearWords),
  most('Words of documents', words, 45_000, LIMITS.words),
];

export type ColdPath = { readonly files: number; readonly lines: number };

/** The measures of one cold transcript. */
export const measuresOfColdPath = ({ files, lines }: ColdPath): Measure[] => [
  most('Files that one cold transcript passes', files, 110, LIMITS.coldFiles),
  most('Lines of the functions that it runs', lines, 4_327, LIMITS.coldLines),
];

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
