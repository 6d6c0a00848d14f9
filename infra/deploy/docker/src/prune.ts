import { cpSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@tds/servers';

/**
 * `node prune.ts <folder> <package folder>...`: copies these packages of the workspace, and those that they need in production,
 * with nothing of tests. What they need of the registry is installed there afterwards.
 */
const [target = '', ...patterns] = process.argv.slice(2);
const ROOT_FILES = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'LICENSE'];
const PACKAGES = '{packages,services,infra,test-e2e}/{,*/,*/*/}package.json';
/** Texts of pages are Markdown that is served. */
const SERVED = /\/packages\/web\/site\/content\//;
const TESTS = /(\.test\.ts|\/test-support|\/testing|\.md|\/tsconfig\.json|\/turbo\.json)$/;

type Manifest = { readonly name: string; readonly dependencies?: Readonly<Record<string, string>> };
const inRoot = (...parts: string[]): string => path.join(workspaceRoot, ...parts);
const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(inRoot(folder, 'package.json'), 'utf8')) as Manifest;

const folders = globSync(PACKAGES, { cwd: workspaceRoot }).map(path.dirname);
const folderOf = new Map(folders.map((folder) => [readManifest(folder).name, folder]));

const needed = new Set<string>();
const addFolder = (folder: string): void => {
  if (needed.has(folder)) return;
  needed.add(folder);
  for (const name of Object.keys(readManifest(folder).dependencies ?? {})) {
    const dependency = folderOf.get(name);
    if (dependency) addFolder(dependency);
  }
};
for (const folder of patterns.flatMap((name) => folders.filter((one) => path.matchesGlob(one, name))))
  addFolder(folder);

mkdirSync(target, { recursive: true });
for (const file of ROOT_FILES) cpSync(inRoot(file), path.join(target, file));
for (const folder of needed)
  cpSync(inRoot(folder), path.join(target, folder), {
    recursive: true,
    filter: (source) =>
      (SERVED.test(source) || !TESTS.test(source)) && path.basename(source) !== 'node_modules',
  });
process.stdout.write(`${[...needed].toSorted().join('\n')}\n`);
