import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { command } from '@tds/command-line';
import { newThing, usage } from './new-thing.ts';
import type { Workspace } from './workspace.ts';

const root = path.resolve(import.meta.dirname, '../../..');

const run = (program: string, ...args: string[]): void => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
};

/** Formats what was written, and brings lockfile, database client and references up to it. */
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

const [words] = command('npm run new --', 'Writes a new part of the tree with its test, and wires it in.')
  .argument('<words...>', 'what it is, and its names')
  .addHelpText('after', `\n${usage()}`)
  .parse().processedArgs;

try {
  const workspace: Workspace = { root, touched: [] };
  newThing(workspace, words);
  settle(workspace);
  for (const file of workspace.touched) process.stdout.write(`${file}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
