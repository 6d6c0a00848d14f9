import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { wireNameOf } from '@tds/contracts';

/** The tree that is written to, and the files that were written or changed, relative to the root and in that order. */
export type Workspace = { readonly root: string; readonly touched: string[] };

export type Name = {
  /** `find-videos`: folders, files, and names on the wire. */
  readonly kebab: string;
  /** `findVideos`: the name in code. */
  readonly camel: string;
  /** `FindVideos`: within other names. */
  readonly pascal: string;
};

const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const TEMPLATE = path.resolve(import.meta.dirname, '../template');

/** Takes a name in kebab-case or camelCase. Throws for any other form. */
export const nameOf = (word: string): Name => {
  const kebab = wireNameOf(word);
  if (!KEBAB.test(kebab)) throw new Error(`"${word}" is not a name such as find-videos or findVideos`);
  const camel = kebab.replace(/-([a-z0-9])/g, (_dash, letter: string) => letter.toUpperCase());
  return { kebab, camel, pascal: `${camel.slice(0, 1).toUpperCase()}${camel.slice(1)}` };
};

/** Names that replace those of the template. */
export type Names = { readonly service: Name; readonly command?: Name };

const renamed = (text: string, names: Names): string =>
  (['service', 'command'] as const).reduce((current, kind) => {
    const { kebab, camel, pascal } = names[kind] ?? nameOf(`example-${kind}`);
    const suffix = kind === 'service' ? 'Service' : 'Command';
    return current
      .replaceAll(`example-${kind}`, kebab)
      .replaceAll(`example${suffix}`, camel)
      .replaceAll(`Example${suffix}`, pascal);
  }, text);

/** Copies a file or a folder of the template with its names replaced. Throws if a file exists already. */
export const copyTemplate = (workspace: Workspace, from: string, to: string, names: Names): void => {
  const source = path.join(TEMPLATE, from);
  const found = readdirSync(path.dirname(source), { recursive: true, withFileTypes: true });
  const files = found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((file) => file === source || file.startsWith(`${source}/`));
  for (const file of files) {
    const target = path.join(to, renamed(path.relative(source, file), names));
    const absolute = path.join(workspace.root, target);
    if (existsSync(absolute)) throw new Error(`${target} exists already`);
    mkdirSync(path.dirname(absolute), { recursive: true });
    writeFileSync(absolute, renamed(readFileSync(file, 'utf8'), names));
    workspace.touched.push(target);
  }
};

/** Records a file that is about to be changed, and returns its absolute path. */
export const touch = ({ root, touched }: Workspace, file: string): string => {
  const target = path.join(root, file);
  if (!existsSync(target)) throw new Error(`${file} does not exist`);
  if (!touched.includes(file)) touched.push(file);
  return target;
};

/** A service of the tree. Throws for any other name, with those that exist. */
export const serviceIn = ({ root }: Workspace, word: string): Name => {
  const service = nameOf(word);
  if (existsSync(path.join(root, 'services', service.kebab, 'src/index.ts'))) return service;
  const known = readdirSync(path.join(root, 'services')).join(', ');
  throw new Error(`There is no service ${service.kebab}; there are ${known}`);
};
