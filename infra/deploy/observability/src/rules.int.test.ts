import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findPrometheus } from '@tds/servers';
import { parse } from 'yaml';
import { alertGroups, alerts } from './alerts.ts';
import { dashboards } from './dashboards.ts';
import { files } from './files.ts';
import { folder } from './read-data.ts';
import { rulesOf, ruleTests } from './test-support/rule-tests.ts';

const run = promisify(execFile);
let scratch: string;
let promtool: string;
beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'tds-rules-'));
  promtool = (await findPrometheus()).promtool;
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const inScratch = (name: string, content: unknown): string => {
  const file = path.join(scratch, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
};
/** Each test computes every rule of its file. */
const rulesFileOf = (group: string): string => inScratch(`${group}-rules.yml`, rulesOf(group));

describe('the configuration of Prometheus', () => {
  it('is what the tables make: after a change, node infra/deploy/observability/src/generate.ts', () => {
    for (const [name, text] of Object.entries(files))
      expect([name, readFileSync(path.join(folder, name), 'utf8') === text]).toEqual([name, true]);
  });

  it('is read by the tool of its makers, rules included', async () => {
    const { stdout } = await run(promtool, ['check', 'config', path.join(folder, 'prometheus.yml')]);
    expect(stdout).toContain('rule files found');
  });

  it('each alert fires on its examples, and stays silent on the others', async () => {
    const tests = Object.keys(alertGroups).map((group) =>
      inScratch(`${group}-tests.yml`, ruleTests(group, rulesFileOf(group))),
    );
    await run(promtool, ['test', 'rules', ...tests]);
  }, 600_000);

  it('an alert that fires although it should not is noticed', async () => {
    const { tests, ...rest } = ruleTests('messages', rulesFileOf('messages'));
    const wrong = tests
      .filter(({ name }) => name === 'OutboxLag rests')
      .map((test) => ({
        ...test,
        input_series: test.input_series.map(({ series }) => ({ series, values: '45+0x30' })),
      }));
    const failed = run(promtool, ['test', 'rules', inScratch('wrong.yml', { ...rest, tests: wrong })]);
    await expect(failed).rejects.toThrow('OutboxLag');
  });

  it('panels of dashboards ask what Prometheus understands', async () => {
    const panels = Object.values(dashboards).flatMap(({ rows }) => Object.values(rows).flat());
    const recorded = panels.map(({ expr }, index) => ({ record: `panel:${index}`, expr }));
    const file = inScratch('panels.yml', { groups: [{ name: 'panels', rules: recorded }] });
    const { stdout } = await run(promtool, ['check', 'rules', file]);
    expect(stdout).toContain(`${panels.length} rules found`);
  });
});

describe('what is configured beside it', () => {
  it('the trace collector’s pipelines name only parts that it has', () => {
    const { service, ...parts } = parse(readFileSync(path.join(folder, 'otel-collector.yml'), 'utf8'));
    for (const pipeline of Object.values<Record<string, string[]>>(service.pipelines))
      for (const [kind, names] of Object.entries(pipeline))
        expect([kind, Object.keys(parts[kind])]).toEqual([kind, expect.arrayContaining(names)]);
  });

  it('panels ask the data source that is provisioned', () => {
    const file = path.join(folder, 'grafana/provisioning/datasources/prometheus.yml');
    const [{ uid }] = parse(readFileSync(file, 'utf8')).datasources;
    const asked = Object.values(files).flatMap((text) => [...text.matchAll(/"uid": "(?!tds-)([^"]+)"/g)]);
    expect(new Set(asked.map((match) => match[1]))).toEqual(new Set([uid]));
  });

  it('an alert has one name for one thing: two of a name differ by their window', () => {
    const names = alerts.map(({ name, labels: { window = '' } }) => `${name} ${window}`);
    expect(new Set(names).size).toBe(names.length);
    const examples = new Set(alerts.map(({ name, at, examples }) => JSON.stringify([name, at, examples])));
    expect(examples.size).toBe(new Set(alerts.map(({ name }) => name)).size);
  });
});
