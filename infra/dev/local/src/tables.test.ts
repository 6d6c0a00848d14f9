import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '@tds/servers';
import { readTables, tableProblems } from './tables.ts';

const tree = (files: Readonly<Record<string, string>>): string => {
  const root = mkdtempSync(join(tmpdir(), 'tables-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
};

const withTable = (comment: string, statement = '', creation = 'id uuid PRIMARY KEY') =>
  tableProblems(
    readTables(
      tree({
        'services/books/prisma/schema.prisma': `${comment}\nmodel Book {\n  id String\n\n  @@map("books")\n}\n`,
        'services/books/prisma/migrations/1/migration.sql': `CREATE TABLE books (\n  ${creation}\n);\n`,
        'services/books/src/store/books.ts': statement,
        'services/books/src/store/books.test.ts': 'DELETE FROM books',
      }),
    ),
  );
const bound = '/// Bound: per account, ten a day.';

describe('the list of tables', () => {
  it('has every table of every service, of messaging and of objects, each with its bound and its retention', () => {
    const tables = readTables(workspaceRoot);
    expect(new Set(tables.map(({ owner }) => owner)).size).toBe(12);
    expect(tables.length).toBeGreaterThan(80);
    expect(tableProblems(tables)).toEqual([]);
  });

  it.each([
    ['says nothing', '', ['needs a line "Bound', 'needs a line "Kept']],
    ['names no bound', '/// Kept: for ever: it is the book.', ['needs a line "Bound']],
    ['names no retention', bound, ['needs a line "Kept']],
    ['does not say whose bound it is', '/// Bound: ten.\n/// Kept: for ever: why.', ['needs a line "Bound']],
    ['is kept for ever without a reason', `${bound}\n/// Kept: for ever`, ['needs a line "Kept']],
    [
      'is deleted by no statement but of a test',
      `${bound}\n/// Kept: deleted after a day.`,
      ['no statement does'],
    ],
  ])('refuses a table that %s', (_what, comment, problems) => {
    expect(withTable(comment)).toEqual(problems.map((text) => expect.stringContaining(text)));
  });

  it.each([
    ['a statement', 'DELETE FROM books WHERE true', 'id uuid PRIMARY KEY'],
    ['the client', 'await db.book.deleteMany({})', 'id uuid PRIMARY KEY'],
    ['the row that it belongs to', '', 'id uuid REFERENCES shelves ON DELETE CASCADE'],
  ])('takes a table whose rows are deleted by %s', (_what, statement, creation) => {
    expect(withTable(`${bound}\n/// Kept: deleted after a day.`, statement, creation)).toEqual([]);
  });

  it('refuses a table that a migration makes and no model describes', () => {
    const root = tree({
      'services/books/prisma/schema.prisma': '',
      'services/books/prisma/migrations/1/migration.sql':
        'CREATE TABLE shelves (\n  id uuid\n) PARTITION BY RANGE (id);\n',
    });
    expect(tableProblems(readTables(root))).toHaveLength(2);
  });
});
