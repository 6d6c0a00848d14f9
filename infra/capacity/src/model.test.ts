import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { defaults, figures, assumptions as given } from './figures.ts';
import { costOf, instancesOf, type Limit, limits, loadOf, reachedAt } from './model.ts';
import { capacityMarkdown } from './report.ts';

const benchmarks = readFileSync(path.join(import.meta.dirname, '../../../docs/benchmarks.md'), 'utf8');
const quoted = Object.entries(figures).flatMap(([name, figure]) =>
  'says' in figure ? [[name, figure.says, figure.value] as const] : [],
);

it.each(quoted)('the figure %s is that of docs/benchmarks.md', (_, says, value) => {
  expect(benchmarks).toContain(says);
  expect(says).toContain(String(value));
});

describe('a limit', () => {
  it.each(limits.map((limit) => [limit.what, limit] as const))(
    '%s: holds up to its customers, not beyond',
    (_, limit) => {
      const at = reachedAt(limit);
      expect(at).toBeGreaterThan(given.laptopCustomers);
      expect(limit.use(at)).toBeLessThanOrEqual(limit.most);
      expect(limit.use(at + 1)).toBeGreaterThan(limit.most);
    },
  );

  it('of a day is reached by as many fetches, and one of places sooner if the platform is slower', () => {
    const [fetches, places] = limits as readonly [Limit, Limit];
    expect(reachedAt(fetches)).toBe(defaults.coldFetchesPerDay / given.coldRowsPerDay);
    const slower = { ...places, use: (customers: number) => 2 * places.use(customers) };
    expect(reachedAt(slower) / reachedAt(places)).toBeCloseTo(0.5, 3);
  });
});

describe('the cost', () => {
  it.each([1, 10_000, 1_000_000, 100_000_000])(
    'of %d customers has places, cores and memory for their busiest time',
    (customers) => {
      const { fetchers, gateways } = instancesOf(customers);
      const { coldRows, streams } = loadOf(customers);
      expect(fetchers * defaults.places).toBeGreaterThanOrEqual(coldRows * given.secondsOfRow);
      expect(gateways * defaults.streams).toBeGreaterThanOrEqual(streams);
      const { machines, cores, gigabytes } = costOf(customers);
      expect(machines * given.coresOfMachine).toBeGreaterThanOrEqual(cores);
      expect(machines * given.gigabytesOfMachine).toBeGreaterThanOrEqual(gigabytes);
    },
  );

  it('is printed for the customers of a command, with the limits in the order in which they are reached', () => {
    const text = capacityMarkdown([1_000_000]);
    expect(text).toContain('| 1,000,000 (100x) |');
    const places = limits.map((limit) => ({ at: reachedAt(limit), line: text.indexOf(` ${limit.what} |`) }));
    const lines = places.toSorted((a, b) => a.at - b.at).map(({ line }) => line);
    expect(lines.every((line, n) => line > (lines[n - 1] ?? 0))).toBe(true);
  });
});
