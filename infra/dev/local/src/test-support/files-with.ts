import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@tds/servers';

/** All files of the patterns, and those of them in whose text the expression is found; `own` is the file that asks. */
export const filesWith = (text: RegExp, patterns: readonly string[], own: string) => {
  const exclude = (name: string) => name === 'node_modules';
  const all = [...new Set(globSync([...patterns], { cwd: workspaceRoot, exclude }))];
  const has = (file: string) => text.test(readFileSync(path.join(workspaceRoot, file), 'utf8'));
  const asker = path.relative(workspaceRoot, own);
  return { all, found: all.filter((file) => file !== asker && has(file)).sort() };
};
