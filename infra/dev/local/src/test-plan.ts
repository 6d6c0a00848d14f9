import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@tds/servers';

type Manifest = { readonly scripts?: Readonly<Record<string, string>> };

/** A package of the workspace, by its folder as in `services/identity`. */
export type WorkspacePackage = { readonly folder: string; readonly manifest: Manifest };

const workspaceGroups = ['packages', 'services', 'infra', 'test-e2e'];

/** They stand in these folders, or in groups there. */
export const workspacePackages = (root = workspaceRoot): WorkspacePackage[] =>
  workspaceGroups
    .flatMap((group) => globSync(`${group}/{,*/,*/*/}package.json`, { cwd: root }).sort())
    .map((file) => ({
      folder: path.dirname(file),
      manifest: JSON.parse(readFileSync(path.join(root, file), 'utf8')),
    }));

export type TestPlan =
  /** Every package, or some: what has not changed since they passed is not run again. */
  | { readonly kind: 'all' | 'packages'; readonly folders: readonly string[]; readonly force: boolean }
  /** Arguments for Jest itself: single files, titles, its own options. Always run. */
  | { readonly kind: 'jest'; readonly args: readonly string[] };

const plain = (arg: string): string => arg.replace(/^\.\//, '').replace(/\/$/, '');

/** What `npm test -- ...args` means: nothing or folders of packages, or anything that Jest understands. */
export const planTests = (args: readonly string[], packages: readonly WorkspacePackage[]): TestPlan => {
  const force = args.includes('--force');
  const folders = args.filter((arg) => arg !== '--force').map(plain);
  const all = packages.map(({ folder }) => folder);
  const matchFolders = (arg: string) => all.filter((folder) => `${folder}/`.startsWith(`${arg}/`));
  if (folders.length === 0) return { kind: 'all', folders: all, force };
  if (folders.every((arg) => matchFolders(arg).length > 0)) {
    return { kind: 'packages', folders: [...new Set(folders.flatMap(matchFolders))], force };
  }
  return { kind: 'jest', args };
};
