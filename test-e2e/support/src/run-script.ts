import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { processEnvironment, workspaceRoot } from '@tds/servers';
import type { TestSystem } from './system.ts';

const run = promisify(execFile);

/** Runs a script of the workspace as a process of its own. Rejects with its output where it fails. */
export const runScript = async (
  script: string,
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<string> => {
  const env = { ...processEnvironment(), ...environment };
  const { stdout } = await run(process.execPath, [path.join(workspaceRoot, script), ...words], { env });
  return stdout.trim();
};

/** Runs a command of an operator on the machine of identity. */
export const operate = (
  system: TestSystem,
  command: 'set-account-status' | 'set-tier' | 'revoke-key' | 'add-owner',
  ...words: string[]
): Promise<string> =>
  runScript('services/identity/src/cli.ts', [command, ...words], system.environmentOf.identity);
