import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { command } from '@tds/command-line';
import { newPart } from './new-part.ts';
import type { Workspace } from './workspace.ts';

const root = path.resolve(import.meta.dirname, '../../..');

const run = (program: string, ...args: string[]): void => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
};

/** Formats the written files, and updates the lockfile, the database client and the references. */
const settle = ({ touched }: Workspace): void => {
  run(
    'node_modules/.bin/biome',
    'check',
    '--write',
    ...touched.filter((file) => /\.(?:ts|json)$/.test(file)),
  );
  const needsInstall = touched.some((file) => /(?:package\.json|schema\.prisma)$/.test(file));
  if (needsInstall) run(process.execPath, 'infra/local/bootstrap/new-package.mjs');
  run(process.execPath, 'infra/local/src/generate.ts');
};

const [words] = command(
  'npm run new --',
  'Copies a service or a command from the template, and registers it.',
)
  .argument('<words...>', 'service NAME, or command SERVICE NAME')
  .parse().processedArgs;

try {
  const workspace: Workspace = { root, touched: [] };
  newPart(workspace, words);
  settle(workspace);
  for (const file of workspace.touched) process.stdout.write(`${file}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
