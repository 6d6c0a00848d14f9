import { describe, expect, it } from '@jest/globals';
import { Counter, Gauge, Histogram } from 'prom-client';
import { createInstruments } from './instruments.ts';
import { createMetrics } from './metrics.ts';

/** Labels whose values are as many as there are messages, routes, states: never as many as there are accounts or videos. */
const bounded = new Set([
  ...[
    'name',
    'outcome',
    'what',
    'state',
    'source',
    'why',
    'server',
    'projection',
    'operation',
    'check',
    'pool',
  ],
  ...['route', 'method', 'status', 'cache', 'service'],
]);

const metrics = createMetrics('status', { processMetrics: false });
const instruments = createInstruments(metrics);
const registered = metrics.registry.getMetricsAsArray();
const named = (kind: typeof Counter | typeof Gauge | typeof Histogram): string[] =>
  registered.filter((metric) => (metric as object) instanceof kind).map(({ name }) => name);

describe('what the kit measures', () => {
  it('is all there from the start, each under a name of its own', () => {
    const instances = Object.values<unknown>(instruments).filter((one) => registered.includes(one as never));
    expect(instances).toHaveLength(registered.length);
    expect(new Set(registered.map(({ name }) => name)).size).toBe(registered.length);
  });

  it('is named as Prometheus expects: counters end in _total, times in _seconds, nothing else does', () => {
    for (const name of named(Counter)) expect(name).toMatch(/^tds_[a-z_]+_total$/);
    for (const name of named(Histogram)) expect(name).toMatch(/^tds_[a-z_]+_seconds$/);
    for (const name of named(Gauge)) expect(name).toMatch(/^tds_(?!.*_total$)[a-z_]+$/);
  });

  it('tells what each number means', () => {
    for (const { help } of registered) expect(help).toMatch(/^[A-Z1].{15,}/);
  });

  it('has no label that an id could be the value of', async () => {
    const labels = registered.flatMap((metric) => (metric as unknown as { labelNames: string[] }).labelNames);
    expect([...new Set(labels)].filter((label) => !bounded.has(label))).toEqual([]);
  });
});
