import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { Registry } from 'prom-client';
import { measureProcess } from './metrics.ts';

const NAME = 'nodejs_eventloop_lag_max_seconds';

const block = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

describe('the lag of the event loop', () => {
  const registry = new Registry();
  measureProcess(registry);
  const scrape = async (of = registry): Promise<number> => {
    const text = await of.getSingleMetricAsString(NAME);
    return Number(/^nodejs_eventloop_lag_max_seconds (.*)$/m.exec(text)?.[1]);
  };

  it('is the longest block of the loop of a process that is scraped and works, and nothing while it is idle', async () => {
    block(50);
    // From here on it is measured: the process has worked.
    await scrape();
    await delay(60);
    block(300);
    await delay(60);
    expect(await scrape()).toBeGreaterThan(0.2);
    await delay(60);
    expect(await scrape()).toBeLessThan(0.2);
  });

  it('is measured no longer once the scrapes stop, and again from the next one on', async () => {
    const seldomScraped = new Registry();
    measureProcess(seldomScraped, 100);
    const measure = async (waitMs: number): Promise<number> => {
      block(50);
      await scrape(seldomScraped);
      await delay(waitMs);
      block(300);
      await delay(60);
      return scrape(seldomScraped);
    };
    expect(await measure(200)).toBeLessThan(0.2);
    // On a busy machine the wait may be longer than the scrapes may be apart.
    await eventually(async () => expect(await measure(40)).toBeGreaterThan(0.2));
  });

  it('is the only one of its kind: the others would wake the process a hundred times a second', () => {
    const names = registry.getMetricsAsArray().map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('nodejs_eventloop_lag'))).toEqual([NAME]);
    expect(names).toContain('process_cpu_seconds_total');
  });
});
