import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { workspaceRoot } from '../paths.ts';

const PARTS = ['services', 'packages'].map((folder) => `:(glob)${folder}/*/prisma/**`);

const git = (...options: string[]): Buffer =>
  execFileSync('git', ['-C', workspaceRoot, ...options], {
    maxBuffer: 100_000_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** Writes the migrations and functions of a commit into a folder. A clone without history fetches the commit. */
export const checkOutPrisma = (commit: string, dir: string): void => {
  try {
    git('cat-file', '-e', `${commit}^{commit}`);
  } catch {
    git('fetch', '--depth=1', 'origin', commit);
  }
  mkdirSync(dir, { recursive: true });
  execFileSync('tar', ['-x', '-C', dir], { input: git('archive', commit, '--', ...PARTS) });
};
