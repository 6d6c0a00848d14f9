import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Name, nameOf } from './names.ts';
import type { TestStart } from './templates/tests.ts';

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

/** Adds to the end of a file, which is made where there is none. */
export const appendTo = (workspace: Workspace, file: string, text: string): void => {
  const target = inWorkspace(workspace, file);
  if (existsSync(target)) writeFileSync(touch(workspace, file), readFileSync(target, 'utf8') + text);
  else addFile(workspace, file, text.trimStart());
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

const STARTED = /export type (Test\w+) = Awaited<ReturnType<typeof (start\w+)>>/;

/** How tests start a service. Throws where its test support has nothing that does. */
export const testStartOf = ({ root }: Workspace, { kebab }: Name): TestStart => {
  const folder = path.join(root, 'services', kebab, 'src/test-support');
  for (const file of readdirSync(folder).filter((name) => name.startsWith('start-'))) {
    const [, type, start] = STARTED.exec(readFileSync(path.join(folder, file), 'utf8')) ?? [];
    if (type && start) return { file, start, type };
  }
  throw new Error(`${folder} has nothing that starts ${kebab} for its tests`);
};
