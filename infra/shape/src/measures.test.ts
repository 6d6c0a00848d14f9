import { describe, expect, it } from '@jest/globals';
import { functionsIn } from './functions.ts';
import { goalTable, isBeyond, measuresOfSources, unitSizes } from './measures.ts';
import { slowPatterns } from './patterns.ts';
import { filesNaming, type SourceFile, unclearWords } from './tree.ts';

const file = (path: string, part: SourceFile['part'], lines: number, text = ''): SourceFile => {
  const kind = !path.endsWith('.sql') ? 'typescript' : path.includes('/migrations/') ? 'migration' : 'sql';
  return { path, part, lines, text, kind, unit: path.split('/').slice(0, 2).join('/') };
};
const measured = (...files: SourceFile[]) => measuresOfSources(files, functionsIn(files));
const nowOf = (what: string, ...files: SourceFile[]) =>
  measured(...files).find((measure) => measure.what.startsWith(what))?.now;

const product = file('services/billing/src/a.ts', 'product', 20);
const library = file('packages/contracts/src/a.ts', 'product', 30);
const tool = file('infra/audit/src/a.ts', 'tools', 40);

describe('the measures of the sources', () => {
  it('count product, tools and tests separately', () => {
    const test = file('services/billing/src/a.test.ts', 'tests', 100);
    expect(nowOf('Lines of product', product, library, tool, test)).toBe(50);
    expect(nowOf('Lines of tools', product, library, tool, test)).toBe(40);
    expect(nowOf('Lines of tests per line', product, library, tool, test)).toBe(2);
    expect(nowOf('The same, of ledger', product, library, tool, test)).toBe(5);
  });

  it('count what customers install apart from the product', () => {
    const client = file('packages/sdk/src/a.ts', 'clients', 60);
    expect(nowOf('Lines of clients', product, client)).toBe(60);
    expect(nowOf('Lines of product', product, client)).toBe(20);
    expect(nowOf('Source files', product, client, tool)).toBe(2);
  });

  it('count the pages that customers read and their dashboard apart from the product', () => {
    const page = file('packages/site/src/a.ts', 'site', 70);
    const view = file('packages/dashboard/src/a.tsx', 'dashboard', 80);
    expect(nowOf('Lines of the site', product, page, view)).toBe(70);
    expect(nowOf('Lines of the dashboard', product, page, view)).toBe(80);
    expect(nowOf('Lines of product', product, page, view)).toBe(20);
  });

  it('count SQL functions as product, and no migrations', () => {
    const sql = file('services/billing/prisma/functions/a.sql', 'product', 7);
    const migration = file('services/billing/prisma/migrations/1/m.sql', 'product', 900);
    expect(nowOf('Lines of product', product, sql, migration)).toBe(27);
    expect(nowOf('SQL files', product, sql, migration)).toBe(1);
  });

  it('name the largest package, and leave services and tools out of it', () => {
    const large = file('services/billing/src/b.ts', 'product', 240);
    expect(nowOf('Lines of the largest package', product, large, library, tool)).toBe(30);
  });

  it('count the lines of functions, and of functions within functions', () => {
    const body = '\n  1;'.repeat(49);
    const text = `const outer = () => {\n  const inner = () => {${body}\n  };\n};\nfunction none();\n`;
    const found = functionsIn([file('services/one/src/a.ts', 'product', 54, text)]);
    expect(found.map(({ lines }) => lines)).toEqual([53, 51]);
  });

  it('give each package its own tests', () => {
    const test = file('packages/contracts/src/a.test.ts', 'tests', 15);
    const sizes = unitSizes([product, library, test]);
    expect(sizes.map(({ unit, lines, tests }) => [unit, lines, tests])).toEqual([
      ['services/billing', 20, 0],
      ['packages/contracts', 30, 15],
    ]);
  });
});

describe('a pattern', () => {
  it('is found if some text keeps it busy for longer than its length', () => {
    const text =
      "text.replace(/\\s+$/, '').match(/^[ -~]*[!-~][ -~]*$/v); /(?<!\\s)\\s+$/.test(text.split('/'));\n";
    const found = slowPatterns([file('services/billing/src/a.ts', 'product', 1, text)]);
    expect(found).toEqual([
      { where: 'services/billing/src/a.ts:1', pattern: '/\\s+$/' },
      { where: 'services/billing/src/a.ts:1', pattern: '/^[ -~]*[!-~][ -~]*$/v' },
    ]);
  });
});

describe('the measures of words', () => {
  it('count unclear words as words, in any case', () => {
    const text = '// Whoever was told. A toldstool stands for nobody.';
    expect(unclearWords([file('a.ts', 'product', 1, text)])).toBe(3);
  });

  it('count the product files that name a command', () => {
    const naming = ['product', 'product', 'tests', 'tools'] as const;
    const files = naming.map((part, index) => file(`${index}.ts`, part, 1, 'handle(getJob);'));
    expect(filesNaming([...files, file('other.ts', 'product', 1, 'getJobs')], 'getJob')).toBe(2);
  });
});

describe('a goal that is missed', () => {
  it('is shown as missed, and fails only beyond its limit', () => {
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
