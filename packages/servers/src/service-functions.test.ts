import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFunctions } from './function-list.ts';
import { kitPrismaDir, type MigrationFolder, prismaDirsOf, readMigrations } from './migration-list.ts';
import { workspaceRoot } from './paths.ts';

/** Until then functions stood in migrations. */
const IN_FILES_SINCE = '20261121';

/** How the comment of a function begins that a new name has replaced: it goes one release later. */
const LEFT_FOR_THE_RELEASE_BEFORE = '-- Only for the release before';

const services = globSync('services/*/prisma', { cwd: workspaceRoot }).map(
  (dir) => dir.split(path.sep)[1] ?? '',
);
const dirs = [kitPrismaDir, ...services.flatMap((service) => prismaDirsOf(service).slice(1))];

const textOf = (pattern: string): string =>
  globSync(pattern, { cwd: workspaceRoot, exclude: (name) => name.includes('node_modules') })
    .filter((file) => !/\.test\.ts$|test-support/.test(file))
    .map((file) => readFileSync(path.join(workspaceRoot, file), 'utf8'))
    .join('\n');

/** What a migration makes but functions of triggers, which have to be there before their trigger. */
const functionsMadeBy = ({ name, sql }: MigrationFolder): string[] =>
  [...sql.matchAll(/\b(?:CREATE|ALTER)\s(?:OR REPLACE )?(?:FUNCTION|PROCEDURE|AGGREGATE|ROUTINE)[^$;]*/gi)]
    .filter(([head]) => !/RETURNS trigger/i.test(head))
    .map(([head]) => `${name}: ${head}`);

describe('functions', () => {
  it('are changed in their files: a newer migration makes one only to tie a new trigger to it', () => {
    const migrations = readMigrations(dirs);
    expect(migrations.filter(({ name }) => name > IN_FILES_SINCE).flatMap(functionsMadeBy)).toEqual([]);
    expect(migrations.flatMap(functionsMadeBy).length).toBeGreaterThan(50);
  });

  it('are each called: by the code, by another function or by a table, unless they are there for the release before', () => {
    const sources = textOf('{services,packages}/*/src/**/*.ts');
    const tables = readMigrations(dirs)
      .flatMap(({ sql }) => sql.match(/EXECUTE FUNCTION [\w."]+|DEFAULT messaging\.\w+/g) ?? [])
      .join('\n');
    const files = readFunctions(dirs);
    const isCalled = ({ name }: { readonly name: string }) => {
      const bare = new RegExp(`\\b${name.split('.')[1]}\\b`);
      const others = files
        .filter((file) => file.name !== name)
        .map(({ sql }) => sql.replaceAll(/--.*$/gm, ''));
      return [sources, tables, ...others].some((text) => bare.test(text));
    };
    const current = files.filter(({ sql }) => !sql.startsWith(LEFT_FOR_THE_RELEASE_BEFORE));
    expect(current.filter((file) => !isCalled(file)).map(({ file }) => file)).toEqual([]);
  });
});
