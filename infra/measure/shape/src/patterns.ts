import { analyse } from 'scslre';
import { ts } from 'ts-morph';
import type { SourceFile } from './tree.ts';

type SlowPattern = { readonly where: string; readonly pattern: string };

const isSlow = (literal: string): boolean => {
  const end = literal.lastIndexOf('/');
  return analyse({ source: literal.slice(1, end), flags: literal.slice(end + 1) }).reports.length > 0;
};

/**
 * The patterns of TypeScript sources that some text keeps busy for longer than its length: a caller who sends it stops the process. A
 * pattern that is composed at run time is not seen.
 */
export const slowPatterns = (files: readonly SourceFile[]): SlowPattern[] =>
  files
    .filter(({ kind, part }) => kind === 'typescript' && part !== 'tests' && part !== 'tools')
    .filter(({ path }) => /\.tsx?$/.test(path))
    .flatMap(({ path, text }) => {
      const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
      const results: SlowPattern[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isRegularExpressionLiteral(node) && isSlow(node.text)) {
          const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
          results.push({ where: `${path}:${line}`, pattern: node.text });
        }
        ts.forEachChild(node, visit);
      };
      visit(file);
      return results;
    });
