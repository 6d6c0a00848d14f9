import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@tds/servers';
import type { Step } from './run-step.ts';

/** What turbo starts scripts with. */
const pnpmDir = path.join(import.meta.dirname, '../turbo-path');

/** Recordings of the real platform may lie beside the clone, where turbo does not look; tests use them if they are there. */
const recordingsDir = path.join(workspaceRoot, '../shared/recordings');

const hashOfRecordings = (): string => {
  if (!existsSync(recordingsDir)) return 'none';
  const files = readdirSync(recordingsDir, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const hash = createHash('sha256');
  for (const file of files.map(({ parentPath, name }) => path.join(parentPath, name)).toSorted())
    hash.update(`${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
};

/** What results depend on besides the files of the tree. */
const machine = (): string =>
  [process.version, process.platform, process.arch, process.getuid?.(), hashOfRecordings()].join(' ');

/** Whatever decides over results that turbo has kept, and where it finds Node and pnpm. */
export const turboStep = (title: string, args: readonly string[]): Step => ({
  title,
  command: path.join(workspaceRoot, 'node_modules/.bin/turbo'),
  args: [...args, '--no-update-notifier'],
  env: {
    PATH: [pnpmDir, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    TDS_TEST_MACHINE: machine(),
  },
});

/** Turbo skips unchanged ones. */
const turboChecks = (title: string, ...names: readonly string[]): Step =>
  turboStep(title, [
    ...['run', ...names.map((name) => `check:${name}`), '--filter=//'],
    ...['--output-logs=errors-only', '--continue=always'],
  ]);

const EVERY_CHECK = 'types dashboard lint boundaries generated names patterns shape'.split(' ');

/** The checks that do not run the sources. */
export const staticChecks: Step = turboChecks('checks', ...EVERY_CHECK);

export const inBin = (name: string): string => path.join(workspaceRoot, 'node_modules/.bin', name);

/** The checks that a change in these folders can reach: all types, and what stands in the folders. */
export const buildChecks = (folders: readonly string[]): readonly Step[] => [
  turboChecks('types', 'types', 'dashboard', 'generated'),
  { title: 'lint', command: inBin('biome'), args: ['check', ...folders] },
  {
    title: 'boundaries',
    command: inBin('depcruise'),
    args: [...folders, '--config', '.dependency-cruiser.mjs'],
  },
];
