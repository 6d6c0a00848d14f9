import { afterEach, describe, expect, it } from '@jest/globals';
import { defineContract, defineSurface } from '@tds/contracts';
import { eventually, sharedNatsUrl } from '@tds/test-kit';
import { createTestBench } from '../test-support/test-services.ts';

const every = (everySeconds: number) =>
  defineSurface(defineContract('status', {}), { schedules: { countThings: { everySeconds } } });

describe('schedules', () => {
  const bench = createTestBench();
  afterEach(() => bench.stopAll());

  const start = (handler: () => Promise<void>, databaseUrl: string, everySeconds = 1) =>
    bench.start({
      surface: every(everySeconds),
      handlers: { schedules: { countThings: handler } },
      natsUrl: sharedNatsUrl(),
      databaseUrl,
    });

  it('run once per period over two instances', async () => {
    const { url } = await bench.database();
    const at: number[] = [];
    const count = async () => void at.push(performance.now());
    await Promise.all([start(count, url), start(count, url)]);
    await eventually(() => expect(at.length).toBeGreaterThanOrEqual(4));
    const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(500);
    expect(Math.max(...gaps)).toBeLessThan(1_900);
  });

  it('catch up once, however many periods were missed', async () => {
    const { url } = await bench.database();
    let runs = 0;
    const count = async () => {
      runs += 1;
    };
    const service = await start(count, url, 60);
    const isAhead = `SELECT next_due_at > now() AS ahead FROM messaging.schedules WHERE name = 'count-things'`;
    const untilAhead = () =>
      eventually(async () => expect(await service.sql(isAhead)).toEqual([{ ahead: true }]));
    await untilAhead();
    await service.sql(
      `UPDATE messaging.schedules SET next_due_at = now() - interval '1 hour' WHERE name = 'count-things'`,
    );
    await untilAhead();
    expect(runs).toBe(2);
  });

  it('do not begin anew with each start of the service, unless their period became shorter', async () => {
    const { url } = await bench.database();
    let runs = 0;
    const count = async () => {
      runs += 1;
    };
    const first = await start(count, url, 3_600);
    await eventually(() => expect(runs).toBe(1));
    await first.stop();
    const second = await start(count, url, 3_600);
    // The kit's own schedule is claimed by the same look at the table.
    await second.sql(`UPDATE messaging.schedules SET next_due_at = now() WHERE name = 'kit-purge-old-rows'`);
    const purged = `SELECT FROM messaging.schedules WHERE name = 'kit-purge-old-rows' AND next_due_at > now()`;
    await eventually(async () => expect(await second.sql(purged)).toHaveLength(1));
    expect(runs).toBe(1);
    await second.stop();
    await start(count, url, 1);
    await eventually(() => expect(runs).toBe(2));
  });

  it('come again after an error', async () => {
    const { url } = await bench.database();
    let runs = 0;
    const service = await start(async () => {
      runs += 1;
      if (runs === 1) throw new Error('not today');
    }, url);
    await eventually(() => expect(runs).toBeGreaterThanOrEqual(2));
    const [row] = await service.sql<{ last_error: string | null }>(
      `SELECT last_error FROM messaging.schedules WHERE name = 'count-things'`,
    );
    expect(row?.last_error).toBeNull();
  });
});
