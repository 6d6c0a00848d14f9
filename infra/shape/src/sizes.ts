import type { SourceFile } from './source-files.ts';

export const at = (lengths: readonly number[], share: number): number => {
  const sorted = lengths.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

export const linesOf = (files: readonly SourceFile[]): number =>
  files.reduce((sum, { lines }) => sum + lines, 0);

export type UnitSize = {
  readonly unit: string;
  readonly files: number;
  readonly median: number;
  readonly p90: number;
  readonly largest: number;
  readonly testsToSource: number;
  /** Files of one SQL function each. */
  readonly sqlFiles: number;
  readonly sqlLines: number;
  readonly migrations: number;
  readonly migrationLines: number;
};

/** Lines of tests for a line of what they test, SQL functions among it. */
export const testsToSource = (files: readonly SourceFile[]): number => {
  const source = files.filter(({ kind }) => kind === 'source' || kind === 'sql');
  return linesOf(files.filter(({ kind }) => kind === 'test')) / Math.max(1, linesOf(source));
};

/** How many files a unit has, how long they are, and how much of it is tests, SQL functions and migrations. */
export const unitSizes = (files: readonly SourceFile[]): UnitSize[] =>
  [...Map.groupBy(files, ({ unit }) => unit)].map(([unit, all]) => {
    const of = (kind: SourceFile['kind']) => all.filter((file) => file.kind === kind);
    const lengths = of('source').map(({ lines }) => lines);
    return {
      unit,
      files: lengths.length,
      median: at(lengths, 0.5),
      p90: at(lengths, 0.9),
      largest: at(lengths, 1),
      testsToSource: testsToSource(all),
      sqlFiles: of('sql').length,
      sqlLines: linesOf(of('sql')),
      migrations: of('migration').length,
      migrationLines: linesOf(of('migration')),
    };
  });
