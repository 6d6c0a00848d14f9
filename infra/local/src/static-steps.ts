import path from 'node:path';
import { toolsDir, workspaceRoot } from '@tds/servers';
import type { Step } from './run-step.ts';

const pnpmDir = path.join(toolsDir, 'pnpm/node_modules/.bin');
const checks = ['check:types', 'check:lint', 'check:boundaries', 'check:generated'];

/** What can be said about the sources without running them; what has not changed since is not checked again. */
export const staticChecks: Step = {
  title: 'checks',
  command: path.join(workspaceRoot, 'node_modules/.bin/turbo'),
  args: ['run', ...checks, '--output-logs=errors-only', '--continue=always', '--no-update-notifier'],
  env: { PATH: [pnpmDir, path.dirname(process.execPath), process.env.PATH].join(path.delimiter) },
  live: true,
};
