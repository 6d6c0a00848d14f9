import { Node, Project } from 'ts-morph';
import type { SourceFile } from './source-files.ts';

const LONGEST_FUNCTION = 50;

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

const linesOf = (files: readonly SourceFile[]): number => files.reduce((sum, { lines }) => sum + lines, 0);

export type UnitSize = {
  readonly unit: string;
  readonly files: number;
  readonly median: number;
  readonly p90: number;
  readonly largest: number;
  readonly testsToSource: number;
};

/** How many files a unit has, how long they are, and how many lines of tests stand against a line of source. */
export const unitSizes = (files: readonly SourceFile[]): UnitSize[] =>
  [...Map.groupBy(files, ({ unit }) => unit)].map(([unit, all]) => {
    const source = all.filter(({ isTest }) => !isTest);
    const lengths = source.map(({ lines }) => lines).toSorted((one, other) => one - other);
    return {
      unit,
      files: source.length,
      median: at(lengths, 0.5),
      p90: at(lengths, 0.9),
      largest: lengths.at(-1) ?? 0,
      testsToSource: linesOf(all.filter(({ isTest }) => isTest)) / Math.max(1, linesOf(source)),
    };
  });

export type LongFunction = { readonly where: string; readonly lines: number };

/** The functions of the source that are longer than the style guide allows. */
export const longFunctions = (files: readonly SourceFile[]): LongFunction[] => {
  const project = new Project({ useInMemoryFileSystem: true, skipAddingFilesFromTsConfig: true });
  return files
    .filter(({ path, isTest }) => !isTest && path.endsWith('.ts'))
    .flatMap(({ path, text }) =>
      project
        .createSourceFile(path, text)
        .getDescendants()
        .filter((node) => Node.isFunctionLikeDeclaration(node) || Node.isArrowFunction(node))
        .map((node) => ({
          where: `${path}:${node.getStartLineNumber()}`,
          lines: node.getEndLineNumber() - node.getStartLineNumber() + 1,
        }))
        .filter(({ lines }) => lines > LONGEST_FUNCTION),
    )
    .toSorted((one, other) => other.lines - one.lines);
};
