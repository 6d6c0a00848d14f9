import path from 'node:path';
import { workspaceRoot } from '@tds/servers';
import type { Step } from './run-step.ts';

/** Jest over the whole tree, or over the folder `cwd`, with these arguments of its own. */
export const jestStep = (
  title: string,
  args: readonly string[],
  options: Pick<Step, 'cwd' | 'env'> = {},
): Step => ({
  title,
  command: process.execPath,
  args: [path.join(workspaceRoot, 'infra/dev/local/package-tests.mjs'), ...args],
  live: true,
  ...options,
});
