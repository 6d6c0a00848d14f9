import { describe, expect, it } from '@jest/globals';
import { measureBudget, sqlByteBudget } from './budget.ts';

it('a scrape reads which part of the day is spent, which is nothing before the first byte', async () => {
  const rows = [[{ bytes: '900' }], []];
  const seen: number[] = [];
  let scrape = async () => {};
  const gauge = { set: (_labels: object, value: number) => void seen.push(value), reset: () => {} };
  const metrics = {
    gauge: () => gauge,
    onScrape: ({ collect }: { collect: () => Promise<void> }) => {
      scrape = collect;
    },
  };
  measureBudget({ db: { query: async () => ({ rows: rows.shift() ?? [] }) }, metrics }, { ofAll: 1_000 });
  await scrape();
  await scrape();
  expect(seen).toEqual([0.9, 0]);
});

describe('bytes of concurrent requests', () => {
  /** A table whose statements end when the test says so. */
  const setUp = () => {
    const table = new Map<string, number>();
    const ends: ((error?: Error) => void)[] = [];
    const query = async (_text: string, values: readonly unknown[]) => {
      const [scopes, bytes] = values as [string[], number[]];
      await new Promise<void>((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())));
      for (const [at, scope] of scopes.entries()) table.set(scope, (table.get(scope) ?? 0) + (bytes[at] ?? 0));
      return { rows: [] };
    };
    const budget = sqlByteBudget({ query }, { ofAll: 1_000, ofCaller: 100 });
    const end = async (error?: Error) => {
      while (ends.length === 0) await new Promise(setImmediate);
      ends.shift()?.(error);
    };
    return { table, ends, budget, end };
  };

  it('are written by one statement at a time, all of them, before their requests go on', async () => {
    const { table, ends, budget, end } = setUp();
    const first = budget.spend(1, 'a');
    await end();
    await first;
    expect(table.get('all')).toBe(1);
    const slow = budget.spend(2, 'a');
    while (ends.length === 0) await new Promise(setImmediate);
    const others = Array.from({ length: 300 }, (_, at) => budget.spend(1, `caller${at % 3}`));
    await new Promise(setImmediate);
    expect(ends).toHaveLength(1);
    await end();
    await end();
    await Promise.all([slow, ...others]);
    expect(Object.fromEntries(table)).toEqual({
      all: 303,
      'caller:a': 3,
      'caller:caller0': 100,
      'caller:caller1': 100,
      'caller:caller2': 100,
    });
  });

  it('that could not be written are written with the next ones', async () => {
    const { table, budget, end } = setUp();
    const failed = budget.spend(5, 'a');
    await Promise.all([end(new Error('the database is away')), expect(failed).rejects.toThrow('away')]);
    const later = budget.spend(1, null);
    await end();
    await later;
    expect(Object.fromEntries(table)).toEqual({ all: 6, 'caller:a': 5 });
  });
});
