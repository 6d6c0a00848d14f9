import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findPrometheus } from '@tds/servers';
import { renderAll } from './test-support/rendered.ts';

const run = promisify(execFile);
const { promtool } = await findPrometheus();
const queries = (await renderAll()).ha
  .filter(({ kind }) => kind === 'ScaledObject')
  .map(({ metadata, spec }) => ({
    name: String(metadata.name),
    query: String(spec.triggers[0].metadata.query),
  }));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tds-scaling-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Series = Readonly<Record<string, number>>;

/** Plays series to promtool, which computes the query as Prometheus does; undefined expects no answer. */
const play = async (query: string, series: Series, expected: number | undefined): Promise<string> => {
  const rules = path.join(folder, 'rules.yml');
  writeFileSync(rules, JSON.stringify({ groups: [{ name: 'g', rules: [{ record: 'signal', expr: query }] }] }));
  const test = {
    interval: '15s',
    input_series: Object.entries(series).map(([name, value]) => ({ series: name, values: `${value}+0x8` })),
    promql_expr_test: [
      {
        expr: 'signal',
        eval_time: '1m',
        exp_samples: expected === undefined ? [] : [{ labels: 'signal', value: expected }],
      },
    ],
  };
  const file = path.join(folder, 'test.yml');
  writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: '15s', tests: [test] }));
  return (await run(promtool, ['test', 'rules', file])).stdout;
};

/** The selector of a query as a series of one instance. */
const seriesOf = (query: string, instance: string): string => {
  const [, metric, labels = ''] = /max\((\w+)\{([^}]+)\}\)/.exec(query) ?? [];
  return `${metric}{${labels.replace('=~', '=').replace(/\|[^"]*/, '')},instance="${instance}"}`;
};
const closed = { 'tds_circuit_open{service="transcript-fetcher",strategy="watch",exit="direct"}': 0 };
const circuitsOf = (query: string): Series => (query.includes('tds_circuit_open') ? closed : {});

it.each(queries)('$name: instances that read the same rows are one number', async ({ query }) => {
  const series = { [seriesOf(query, 'a')]: 40, [seriesOf(query, 'b')]: 40, ...circuitsOf(query) };
  await expect(play(query, series, 40)).resolves.toContain('SUCCESS');
  await expect(play(query, series, 80)).rejects.toThrow('FAILED');
});

it.each(queries)('$name: without an instance there is no answer, so the fallback holds', async ({ query }) => {
  await expect(play(query, {}, undefined)).resolves.toContain('SUCCESS');
});

it('no fetcher is added while the circuit of every route is open, and some are while one is closed', async () => {
  const { query } = queries.find(({ name }) => name === 'transcript-fetcher') as (typeof queries)[number];
  const reads = { [seriesOf(query, 'a')]: 40 };
  const open = { 'tds_circuit_open{service="transcript-fetcher",strategy="player",exit="direct"}': 1 };
  await expect(play(query, { ...reads, ...open }, 0)).resolves.toContain('SUCCESS');
  await expect(play(query, { ...reads, ...open, ...closed }, 40)).resolves.toContain('SUCCESS');
});
