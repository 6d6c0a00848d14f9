import { describe, expect, it } from '@jest/globals';
import { functionsIn } from './functions.ts';
import { goalTable, isBeyond, measuresOfSources } from './goals.ts';
import type { SourceFile } from './source-files.ts';

const file = (path: string, kind: SourceFile['kind'], lines: number, text = ''): SourceFile => ({
  ...{ path, kind, lines, text },
  unit: path.split('/').slice(0, 2).join('/'),
});
const measured = (...files: SourceFile[]) => measuresOfSources(files, functionsIn(files));
const beyond = (...files: SourceFile[]) =>
  measured(...files)
    .filter(isBeyond)
    .map(({ what }) => what);

const small = file('services/one/src/a.ts', 'source', 20);

describe('the goals of the sources', () => {
  it('are met by a small file with a small test', () => {
    expect(beyond(small, file('services/one/src/a.test.ts', 'test', 20))).toEqual([]);
  });

  it('fail where there are fewer tests than ever', () => {
    expect(beyond(small, file('services/one/src/a.test.ts', 'test', 18))).toEqual([
      'Lines of tests for a line of source',
    ]);
  });

  it('count SQL functions and migrations, each for itself', () => {
    const test = file('services/one/src/a.test.ts', 'test', 800);
    const sql = [1, 2].map((n) => file(`services/one/prisma/functions/${n}.sql`, 'sql', 401));
    const migrations = [1, 2, 3].map((n) =>
      file(`services/one/prisma/migrations/${n}/m.sql`, 'migration', 900),
    );
    expect(beyond(small, test, ...sql, ...migrations)).toEqual([
      'Lines of an SQL file, median',
      'Lines of an SQL file, 90th percentile',
      'Lines of an SQL file, longest',
      'Migrations of a unit',
    ]);
  });

  it('count functions by the lines on which they stand, those within others, too', () => {
    const body = '\n  1;'.repeat(49);
    const text = `const outer = () => {\n  const inner = () => {${body}\n  };\n};\nfunction none();\n`;
    const found = functionsIn([file('services/one/src/a.ts', 'source', 54, text)]);
    expect(found.map(({ lines }) => lines)).toEqual([53, 51]);
  });
});

describe('a goal that is missed', () => {
  it('is shown as missed, and fails only beyond what it was when its limit was set', () => {
    const at = (now: number) => ({ what: 'Files', now, wanted: 'at most' as const, goal: 120, limit: 166 });
    expect([120, 166, 167].map((now) => isBeyond(at(now)))).toEqual([false, false, true]);
    const rows = goalTable([at(120), at(166), at(167)])
      .split('\n')
      .slice(2);
    expect(rows.map((row) => row.split(' | ').at(-1))).toEqual([
      'met |',
      'missed, fails beyond 166 |',
      'BEYOND 166 |',
    ]);
  });
});
