import { ts } from 'ts-morph';
import type { SourceFile } from './tree.ts';

export type SizedFunction = { readonly where: string; readonly lines: number };

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
