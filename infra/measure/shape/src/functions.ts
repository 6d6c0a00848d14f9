import { ts } from 'ts-morph';
import type { SourceFile } from './tree.ts';

export type SizedFunction = { readonly where: string; readonly lines: number };

/** How much code a file is: nodes of TypeScript, words of SQL. Width, blanks and comments change nothing. */
export const weightOf = ({ kind, path, text }: SourceFile): number => {
  if (kind === 'sql') return text.replaceAll(/--.*$/gm, '').match(/\w+/g)?.length ?? 0;
  let nodes = 0;
  const visit = (node: ts.Node): void => {
    nodes++;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return nodes;
};

/** The functions of TypeScript sources, and on how many lines each stands. */
export const functionsIn = (files: readonly SourceFile[]): SizedFunction[] =>
  files
    .filter(({ path, kind, part }) => kind === 'typescript' && part !== 'tests' && path.endsWith('.ts'))
    .flatMap(({ path, text }) => {
      const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
      const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
      const results: SizedFunction[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isFunctionLike(node) && 'body' in node && node.body) {
          const first = lineAt(node.getStart(file));
          results.push({ where: `${path}:${first}`, lines: lineAt(node.end) - first + 1 });
        }
        ts.forEachChild(node, visit);
      };
      visit(file);
      return results;
    });

/** On how many lines each function of SQL stands. */
export const linesOfSqlFunctions = (files: readonly SourceFile[]): { lines: number }[] =>
  files
    .filter(({ kind }) => kind === 'sql')
    .flatMap(({ text }) => text.match(/^CREATE OR REPLACE (?:FUNCTION|PROC)[\s\S]*?^\$\$.*;$/gm) ?? [])
    .map((sql) => ({ lines: sql.split('\n').length }));
