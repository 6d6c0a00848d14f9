import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  kitPrismaDir,
  type MigrationFolder,
  prismaDirsOf,
  readFunctions,
  readMigrations,
} from '@tds/migrations';
import { workspaceRoot } from './paths.ts';

const services = globSync('services/*/prisma', { cwd: workspaceRoot }).map(
  (dir) => dir.split(path.sep)[1] ?? '',
);
const dirs = [kitPrismaDir, ...services.flatMap((service) => prismaDirsOf(service).slice(1))];

const migrations = dirs.flatMap((dir) => readMigrations([dir]));

const textOf = (pattern: string): string =>
  globSync(pattern, { cwd: workspaceRoot, exclude: (name) => name.includes('node_modules') })
    .filter((file) => !/\.test\.ts$|test-support/.test(file))
    .map((file) => readFileSync(path.join(workspaceRoot, file), 'utf8'))
    .join('\n');

const sources = textOf('{services,packages,infra/measure}/*/src/**/*.ts');

/** What a migration makes but functions of triggers and of defaults, which have to be there before their table. */
const functionsMadeBy = ({ name, sql }: MigrationFolder): string[] =>
  [
    ...sql.matchAll(
      /\b(?:CREATE|ALTER)\s(?:OR REPLACE )?(?:FUNCTION|PROCEDURE|AGGREGATE|ROUTINE)\s([\w.]+)[^$;]*/gi,
    ),
  ]
    .filter(([head, made]) => !/RETURNS trigger/i.test(head) && !sql.includes(`DEFAULT ${made}(`))
    .map(([head]) => `${name}: ${head}`);

describe('functions', () => {
  it('stand in files: a migration makes one only to tie a trigger or a default to it', () => {
    expect(migrations.flatMap(functionsMadeBy)).toEqual([]);
  });

  it('are each called: by the code, by another function or by a table', () => {
    const tables = migrations
      .flatMap(({ sql }) => sql.match(/EXECUTE FUNCTION [\w."]+\(|DEFAULT messaging\.\w+\(/g) ?? [])
      .join('\n');
    const files = readFunctions(dirs);
    const isCalled = ({ name }: { readonly name: string }) => {
      const bare = new RegExp(`\\b${name.split('.')[1]}\\(`);
      const others = files.filter((file) => file.name !== name).map(({ sql }) => sql.replaceAll(/--.*$/gm, ''));
      return [sources, tables, ...others].some((text) => bare.test(text));
    };
    expect(files.filter((file) => !isCalled(file)).map(({ file }) => file)).toEqual([]);
  });

  it('are called with named arguments by the code, if a call has three or more', () => {
    const callsOf = (name: string) => sources.match(new RegExp(`\\b${name}\\([^)]*\\$[^)]*`, 'g')) ?? [];
    const calls = readFunctions(dirs).flatMap(({ name }) => callsOf(name.split('.')[1] ?? ''));
    const long = calls.filter((call) => call.split(',').length > 2);
    expect(long.length).toBeGreaterThan(20);
    expect(long.filter((call) => !/\(\s*p_\w+ => /.test(call))).toEqual([]);
  });
});
