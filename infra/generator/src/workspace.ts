import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Name, nameOf } from './names.ts';

/** The tree that is written to, and what was written. */
export type Workspace = {
  readonly root: string;
  /** Relative to the root, in the order in which they were written or changed. */
  readonly touched: string[];
};

export const inWorkspace = ({ root }: Workspace, file: string): string => path.join(root, file);

/** Writes a new file. Throws where there is one. */
export const addFile = (workspace: Workspace, file: string, text: string): void => {
  const target = inWorkspace(workspace, file);
  if (existsSync(target)) throw new Error(`${file} is there already`);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
  workspace.touched.push(file);
};

/** Notes a file that is about to be changed, and resolves to where it lies. */
export const touch = (workspace: Workspace, file: string): string => {
  const target = inWorkspace(workspace, file);
  if (!existsSync(target)) throw new Error(`${file} is not there`);
  if (!workspace.touched.includes(file)) workspace.touched.push(file);
  return target;
};

/** A service of the tree. Throws, with those that there are, where it is none. */
export const serviceIn = ({ root }: Workspace, word: string): Name => {
  const service = nameOf(word);
  if (existsSync(path.join(root, 'services', service.kebab, 'src/index.ts'))) return service;
  const known = readdirSync(path.join(root, 'services')).join(', ');
  throw new Error(`There is no service ${service.kebab}; there are ${known}`);
};
