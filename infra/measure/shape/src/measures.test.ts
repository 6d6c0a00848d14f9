import { describe, expect, it } from '@jest/globals';
import { functionsIn, weightOf } from './functions.ts';
import { goalTable, isBeyond, measuresOf } from './measures.ts';
import { slowPatterns } from './patterns.ts';
import type { SourceFile } from './tree.ts';

const file = (path: string, part: SourceFile['part'], lines: number, text = ''): SourceFile => {
  const kind = !path.endsWith('.sql') ? 'typescript' : path.includes('/migrations/') ? 'migration' : 'sql';
  return { path, part, lines, text, kind };
};
const nowOf = (what: string, ...files: SourceFile[]) =>
  measuresOf(files, 0).find((measure) => measure.title.startsWith(what))?.now;

const product = file('services/billing/src/a.ts', 'product', 20);
const library = file('packages/contracts/src/a.ts', 'product', 30);
const tool = file('infra/measure/audit/src/a.ts', 'tools', 40);

describe('the measures of the sources', () => {
  it('count product, tools and tests separately', () => {
    const test = file('services/billing/src/a.test.ts', 'tests', 100);
    expect(nowOf('Lines of tools', product, library, tool, test)).toBe(40);
    expect(nowOf('Lines of tests per line', product, library, tool, test)).toBe(2);
  });

  it.each([
    ['what customers install', 'packages/clients/sdk/src/a.ts', 'clients'],
    ['the pages that they read', 'packages/web/site/src/a.ts', 'site'],
    ['their dashboard', 'packages/web/dashboard/src/a.tsx', 'dashboard'],
  ] as const)('count %s apart from the product', (_, path, part) => {
    expect(nowOf('Nodes of product', file(path, part, 60, 'f(1);'))).toBe(0);
    expect(nowOf('Lines of a source file', product, file(path, part, 60))).toBe(60);
  });

  it('count SQL functions as product, and no migrations', () => {
    const sql = file('services/billing/prisma/functions/a.sql', 'product', 7, 'SELECT 1;\n');
    const migration = file('services/billing/prisma/migrations/1/m.sql', 'product', 900, 'SELECT 2;\n');
    expect(nowOf('Nodes of product', sql, migration)).toBe(2);
    expect(nowOf('Lines of a source file', product, sql, migration)).toBe(20);
    expect(nowOf('Lines of an SQL file', product, sql, migration)).toBe(7);
  });

  it('count the lines of functions, and of functions within functions', () => {
    const body = '\n  1;'.repeat(49);
    const text = `const outer = () => {\n  const inner = () => {${body}\n  };\n};\nfunction none();\n`;
    const source = file('services/one/src/a.ts', 'product', 54, text);
    expect(functionsIn([source]).map(({ lines }) => lines)).toEqual([53, 51]);
    expect(nowOf('Lines of a function', source)).toBe(53);
  });
});

describe('the weight of code', () => {
  it('is the same in wide lines, without blanks and with comments', () => {
    const wide = 'export const sum = (a: number, b: number) => a + b;\n';
    const narrow = '// Adds.\nexport const sum = (\n  a: number,\n\n  b: number,\n) =>\n  /* both */ a + b;\n';
    expect(weightOf(file('a.ts', 'product', 7, narrow))).toBe(weightOf(file('a.ts', 'product', 1, wide)));
    expect(weightOf(file('a.sql', 'product', 2, '-- One.\nSELECT\n  1;'))).toBe(2);
  });

  it('is greater if a literal is spread into another', () => {
    const [plain, spread] = ['({ a, b, c });', '({ ...{ a, b }, c });'].map((text) =>
      file('a.ts', 'product', 1, text),
    );
    expect(weightOf(spread as SourceFile)).toBeGreaterThan(weightOf(plain as SourceFile));
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

describe('a goal that is missed', () => {
  it('is shown as missed, and fails only beyond its limit', () => {
    const at = (now: number) => ({
      title: 'Files',
      now,
      comparison: 'at most' as const,
      goal: 120,
      limit: 166,
    });
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
