import { existsSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@tds/servers';
import type { Step } from './run-step.ts';

const bin = (name: string): string => path.join(workspaceRoot, 'node_modules/.bin', name);

const cruisedFolders = ['packages', 'services', 'infra', 'test-e2e', 'bench'].filter((folder) =>
  existsSync(path.join(workspaceRoot, folder)),
);

/** What can be said about the sources without running them. */
export const staticSteps: readonly Step[] = [
  { title: 'types', command: bin('tsc'), args: ['-p', 'tsconfig.json'] },
  { title: 'lint', command: bin('biome'), args: ['check', '.'] },
  {
    title: 'boundaries',
    command: bin('depcruise'),
    args: [...cruisedFolders, '--config', '.dependency-cruiser.mjs'],
  },
  {
    title: 'generated',
    command: process.execPath,
    args: [path.join(import.meta.dirname, 'generate.ts'), '--check'],
  },
];
