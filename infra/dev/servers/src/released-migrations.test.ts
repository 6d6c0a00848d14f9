import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type MigrationFolder, readFunctions, readMigrations } from '@tds/migrations';
import { workspaceRoot } from './paths.ts';
import { refusedStatements } from './test-support/expansion.ts';

type Released = {
  /** Upgrades count from the commit of a release. */
  readonly commits: Readonly<Record<string, string>>;
  /** SHA-256 of each migration, by release; the oldest release first. */
  readonly migrations: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** SHA-256 of what each function of the last release takes and returns. */
  readonly functions: Readonly<Record<string, string>>;
};

const RELEASED = path.join(import.meta.dirname, 'test-support/released-migrations.json');
const readReleased = (): Released => JSON.parse(readFileSync(RELEASED, 'utf8'));

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const owners = globSync('{services,packages}/*/prisma', { cwd: workspaceRoot }).map(path.dirname).sort();
const dirOf = (owner: string): string => path.join(workspaceRoot, owner, 'prisma');
const migrationsOf = (owner: string): MigrationFolder[] =>
  readMigrations([dirOf(owner)]).map(({ name, sql }) => ({ name: `${owner}/${name}`, sql }));
const migrations = owners.flatMap(migrationsOf);

/** Name, arguments and result: all that a caller sees. */
const headOf = (sql: string): string =>
  /^CREATE [\s\S]*?(?=\bLANGUAGE\b|;$)/m.exec(sql)?.[0].replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ') ?? '';
const heads = Object.fromEntries(
  owners.flatMap((owner) =>
    readFunctions([dirOf(owner)]).map(({ name, sql }) => [`${owner}: ${name}`, digestOf(headOf(sql))]),
  ),
);

/** A release records its commit, migrations and functions, once. */
const recordRelease = (): void => {
  const { version } = JSON.parse(readFileSync(path.join(workspaceRoot, 'package.json'), 'utf8'));
  const release = String(version).split('.', 2).join('.');
  const { commits, migrations: released } = readReleased();
  if (commits[release]) throw new Error(`${release} is ${commits[release]}: raise the version of package.json`);
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: workspaceRoot, encoding: 'utf8' }).trim();
  const known = new Set(Object.values(released).flatMap(Object.keys));
  const added = migrations.filter(({ name }) => !known.has(name)).map(({ name, sql }) => [name, digestOf(sql)]);
  const next: Released = {
    commits: { ...commits, [release]: commit },
    migrations: { ...released, [release]: Object.fromEntries(added) },
    functions: heads,
  };
  writeFileSync(RELEASED, `${JSON.stringify(next, null, 2)}\n`);
};

if (process.env.TDS_TEST_WRITE_RELEASED === '1') recordRelease();
const released = readReleased();
const releases = Object.keys(released.migrations);
const releaseOf = (name: string) => releases.findIndex((release) => released.migrations[release]?.[name]);

describe('a released migration', () => {
  it('is there and has the text that databases have applied', () => {
    const recorded = Object.assign({}, ...Object.values(released.migrations)) as Record<string, string>;
    const texts = migrations.map(({ name, sql }) => [name, digestOf(sql)]);
    expect(Object.fromEntries(texts.filter(([name]) => recorded[String(name)]))).toEqual(recorded);
  });

  it.each(owners)('of %s comes before those of later releases, by its name', (owner) => {
    const order = migrationsOf(owner).map(({ name }) => releaseOf(name) + 1 || releases.length + 1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });
});

describe('processes of the release before', () => {
  it.each(owners)('go on beside the migrations of %s', (owner) => {
    const ofRelease = Map.groupBy(migrationsOf(owner), ({ name }) => releaseOf(name));
    const refused = [...ofRelease].flatMap(([release, added]) => {
      if (release === 0) return [];
      return refusedStatements(added, release < 0 ? releases : releases.slice(0, release));
    });
    expect(refused).toEqual([]);
  });

  it('call each function with the same arguments for the same result; another function has another name', () => {
    const changed = Object.entries(released.functions).filter(([name, head]) => (heads[name] ?? head) !== head);
    expect(changed.map(([name]) => name)).toEqual([]);
  });
});

const refusalsOf = (sql: string) => refusedStatements([{ name: 'm', sql }], ['1.0', '1.1']).join('\n');

describe('a statement of a migration', () => {
  it.each([
    ['drops a table', 'DROP TABLE things'],
    ['drops a column', 'ALTER TABLE things DROP COLUMN title'],
    ['drops a column beside a new one', 'ALTER TABLE things ADD COLUMN a numeric(3, 2), DROP COLUMN b'],
    ['drops a constraint', 'ALTER TABLE things DROP CONSTRAINT things_key'],
    ['drops an index, which an upsert may name', '-- concurrently\nDROP INDEX CONCURRENTLY IF EXISTS by_title'],
    ['drops a default', 'ALTER TABLE things ALTER COLUMN title DROP DEFAULT'],
    ['lets a column be null, which readers may not expect', 'ALTER TABLE a ALTER COLUMN b DROP NOT NULL'],
    ['refuses rows', 'ALTER TABLE things ADD CONSTRAINT few CHECK (n < 9) NOT VALID'],
    ['refuses equal rows', 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS one ON things (n)'],
    ['acts on rows', 'CREATE TRIGGER t BEFORE INSERT ON things EXECUTE FUNCTION refuse()'],
    ['deletes rows', 'DELETE FROM things WHERE n > 9'],
  ])('that %s waits for a release that does not need it', (_, sql) => {
    expect(refusalsOf(`${sql};`)).toMatch(/needs the comment/);
    expect(refusalsOf(`-- Contract: unused since 1.2; see there.\n${sql};`)).toMatch(/needs the comment/);
    expect(refusalsOf(`-- Contract: unused since 1.1; see there.\n${sql};`)).toBe('');
  });

  it.each([
    ['renames a table', 'ALTER TABLE things RENAME TO others'],
    ['renames a column', 'ALTER TABLE things RENAME COLUMN a TO b'],
    ['changes a type', 'ALTER TABLE things ALTER COLUMN n TYPE bigint'],
    ['changes a composite type', 'ALTER TYPE known ADD ATTRIBUTE n int'],
    ['changes a dictionary', 'ALTER TEXT SEARCH DICTIONARY d (StopWords = english)'],
    ['requires a value', 'ALTER TABLE things ALTER COLUMN n SET NOT NULL'],
    ['adds a required column', 'ALTER TABLE things ADD COLUMN n int NOT NULL'],
    [
      'adds a required column beside another',
      'ALTER TABLE a ADD COLUMN b int,\n  ADD COLUMN "c" text NOT NULL',
    ],
    ['adds a unique column', 'ALTER TABLE things ADD COLUMN n int UNIQUE'],
    ['adds a computed column', 'ALTER TABLE a ADD COLUMN n int GENERATED ALWAYS AS (m + 1) STORED'],
    ['adds a checked constraint', 'ALTER TABLE things ADD CONSTRAINT few CHECK (n < 9)'],
    ['adds a constraint without a name', 'ALTER TABLE things ADD CHECK (n < 9)'],
    ['adds a foreign key', 'ALTER TABLE a ADD CONSTRAINT f FOREIGN KEY (n) REFERENCES b (id)'],
    ['adds a unique constraint', 'ALTER TABLE things ADD CONSTRAINT u UNIQUE (n)'],
    ['builds an index under a lock', 'CREATE INDEX by_n ON things (n)'],
    ['builds a unique index under a lock', 'CREATE UNIQUE INDEX one_n ON things (n)'],
    ['drops a function, as the migrator does one release later', 'DROP FUNCTION one(integer)'],
    ['empties a table', 'TRUNCATE things'],
    ['hides what it does', `DO $$ BEGIN EXECUTE 'DROP TABLE things'; END $$`],
    ['is marked, and follows another', '-- Contract: unused since 1.1\nSELECT 1; ALTER TABLE a RENAME TO b'],
  ])('that %s is refused, whatever its comment says', (_, sql) => {
    expect(refusalsOf(`${sql};`)).toMatch(/breaks the release before/);
    expect(refusalsOf(`-- Contract: unused since 1.1\n${sql};`)).toMatch(/breaks the release before/);
  });

  it.each([
    ['creates a table', 'CREATE TABLE things (id int PRIMARY KEY, n int NOT NULL UNIQUE CHECK (n < 9))'],
    [
      'changes a table of the same release',
      'CREATE TABLE a (n int); ALTER TABLE "a" ADD CHECK (n > 0); CREATE UNIQUE INDEX b ON a (n)',
    ],
    ['adds a dictionary', 'CREATE TEXT SEARCH DICTIONARY d (TEMPLATE = snowball, LANGUAGE = danish)'],
    ['adds a column', 'ALTER TABLE things ADD COLUMN n numeric(3, 2) CHECK (n > 0)'],
    [
      'adds a required column with a default',
      `ALTER TABLE things ADD COLUMN t text NOT NULL DEFAULT 'NOT NULL'`,
    ],
    [
      'builds an index beside writers',
      '-- concurrently\nCREATE INDEX CONCURRENTLY IF NOT EXISTS by_n ON things (n)',
    ],
    ['lets an index keep no list of what waits', 'ALTER INDEX by_word SET (fastupdate = off)'],
    ['empties such a list', "SELECT gin_clean_pending_list('by_word')"],
    ['checks what every release keeps to', 'ALTER TABLE things VALIDATE CONSTRAINT few'],
    ['fills a column', `UPDATE things SET n = 1 WHERE t = 'DROP TABLE things; it''s'`],
    ['speaks of another', '-- It does not DROP TABLE things; a later one does.\nCREATE SCHEMA apart'],
  ])('that %s goes', (_, sql) => {
    expect(refusalsOf(`${sql};`)).toBe('');
  });

  it('that changes what a function takes or returns is noticed, and one that changes its body is not', () => {
    const before = headOf(
      '-- Of one.\nCREATE OR REPLACE FUNCTION one(a int) RETURNS int LANGUAGE sql AS $$ SELECT a $$;',
    );
    const others = [
      'CREATE OR REPLACE FUNCTION one(a int, b int DEFAULT 0) RETURNS int LANGUAGE sql AS $$ SELECT a $$;',
      'CREATE OR REPLACE FUNCTION one(a int) RETURNS bigint LANGUAGE sql AS $$ SELECT a $$;',
      'CREATE OR REPLACE FUNCTION one(b int) RETURNS int LANGUAGE sql AS $$ SELECT b $$;',
    ];
    for (const other of others) expect(headOf(other)).not.toBe(before);
    expect(headOf('CREATE OR REPLACE FUNCTION one(a int)\n  RETURNS int LANGUAGE sql AS $$ SELECT 2 $$;')).toBe(
      before,
    );
  });
});
