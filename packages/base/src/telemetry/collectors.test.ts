import { describe, expect, it } from '@jest/globals';
import { Gauge } from 'prom-client';
import { createCollectors } from './metrics.ts';

const gaugeOf = () =>
  new Gauge({ name: 'tds_rows', help: 'Rows that wait', labelNames: ['what'], registers: [] });
const valuesOf = async (gauge: Gauge<'what'>) => (await gauge.get()).values.map(({ value }) => value);

describe('what is collected at a scrape', () => {
  it('is asked for once, however many scrape at a time, and again by the next one', async () => {
    const collectors = createCollectors();
    let asked = 0;
    const answer = Promise.withResolvers<void>();
    const collect = () => {
      asked += 1;
      return answer.promise;
    };
    collectors.add({ sets: [], collect });
    const scrapes = [collectors.run(), collectors.run()];
    answer.resolve();
    await Promise.all(scrapes);
    expect(asked).toBe(1);
    await collectors.run();
    expect(asked).toBe(2);
  });

  it('shows no old value if it fails or hangs, and hides nothing of the others', async () => {
    const collectors = createCollectors(20);
    const gauges = [gaugeOf(), gaugeOf(), gaugeOf()] as const;
    for (const gauge of gauges) gauge.set({ what: 'rows' }, 7);
    const [failing, hanging, fine] = gauges;
    collectors.add({ sets: [failing], collect: () => Promise.reject(new Error('away')) });
    collectors.add({ sets: [hanging], collect: () => new Promise(() => {}) });
    collectors.add({ sets: [fine], collect: () => fine.set({ what: 'rows' }, 8) });
    await collectors.run();
    expect(await Promise.all(gauges.map(valuesOf))).toEqual([[], [], [8]]);
  });
});
