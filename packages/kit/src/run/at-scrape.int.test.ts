import { afterEach, describe, expect, it } from '@jest/globals';
import { defineContract, defineSurface } from '@tds/contracts';
import { dueRows, eventually, sharedNatsUrl } from '@tds/test-kit';
import { scrape } from '../testing/observe-service.ts';
import { createTestBench, type TestService } from '../testing/test-bench.ts';

const surface = defineSurface(defineContract('status', {}), {
  schedules: { sweep: { everySeconds: 3_600 }, checkDisk: { everySeconds: 0.05, onEveryInstance: true } },
});

describe('what a service is asked at a scrape', () => {
  const bench = createTestBench();
  afterEach(() => bench.stopAll());

  type Run = () => Promise<void>;
  const start = ({
    sweep = async () => {},
    checkDisk = async () => {},
  }: {
    sweep?: Run;
    checkDisk?: Run;
  } = {}) => bench.start({ surface, handlers: { schedules: { sweep, checkDisk } }, natsUrl: sharedNatsUrl() });

  const ask = ({ addresses }: Pick<TestService<typeof surface>, 'addresses'>) =>
    scrape(String(addresses.health));

  it('is for how long a schedule has been due without a complete run, and whether the last run failed', async () => {
    const running = Promise.withResolvers<void>();
    let calls = 0;
    const service = await start({
      sweep: async () => {
        calls += 1;
        if (calls === 2) await running.promise;
      },
      checkDisk: () => Promise.reject(new Error('no')),
    });
    await eventually(() => expect(calls).toBe(1));
    const schedules = dueRows('status', (text, values) => service.sql(text, ...values));
    await schedules.makeDue('messaging.schedules', { where: "name = 'sweep'" }, '-10 minutes');
    await eventually(() => expect(calls).toBe(2));
    expect((await ask(service))('tds_schedule_overdue_seconds', { name: 'sweep' })).toBeGreaterThanOrEqual(600);
    running.reject(new Error('not today'));
    await eventually(async () => {
      const metric = await ask(service);
      expect(metric('tds_schedule_failing', { name: 'sweep' })).toBe(1);
      expect(metric('tds_schedule_failing', { name: 'check-disk' })).toBe(1);
      expect(metric('tds_schedule_failing', { name: 'kit-purge-old-rows' })).toBe(0);
    });
  });

  it('is who waits for a connection of either pool, which checks fail, and how large the database is', async () => {
    const service = await start();
    const held = await Promise.all(Array.from({ length: 10 }, () => service.kit.db.connect()));
    const waiting: Promise<void>[] = [];
    // The kit may wait for a connection of its own pool for a moment, too.
    await eventually(async () => {
      waiting.push(
        service.kit.db.connect().then(
          (client) => client.release(),
          () => {},
        ),
      );
      const metric = await ask(service);
      expect(metric('tds_pool_connections', { pool: 'service', state: 'waiting' })).toBeGreaterThan(0);
      expect(metric('tds_pool_connections', { pool: 'kit', state: 'waiting' })).toBe(0);
      expect(metric('tds_database_bytes')).toBeGreaterThan(1_000_000);
    });
    for (const client of held) client.release();
    await Promise.all(waiting);
    service.kit.onReady('pigeons', () => Promise.reject(new Error('not fed')));
    const later = await ask(service);
    expect(later('tds_check_failing', { check: 'pigeons' })).toBe(1);
    expect(later('tds_check_failing', { check: 'database' })).toBe(0);
  });

  it('is not among those who wait for a connection', async () => {
    const service = await start();
    expect(service.kit.db.totalCount).toBe(0);
    expect((await ask(service))('tds_pool_connections', { pool: 'service', state: 'waiting' })).toBe(0);
  });

  it('are the backlogs that it has named; one that cannot be counted hides no other', async () => {
    const service = await start();
    service.kit.onBacklog('letters', async () => ({ count: 3, oldestSeconds: 90 }));
    service.kit.onBacklog('parcels', async () => ({ count: 5 }));
    service.kit.onBacklog('pigeons', () => Promise.reject(new Error('flown')));
    const metric = await ask(service);
    expect(metric('tds_backlog', { what: 'letters' })).toBe(3);
    expect(metric('tds_backlog_oldest_seconds', { what: 'letters' })).toBe(90);
    expect(metric('tds_backlog', { what: 'parcels' })).toBe(5);
    expect(metric('tds_backlog', { what: 'pigeons' })).toBeUndefined();
    expect(metric('tds_backlog_oldest_seconds', { what: 'parcels' })).toBeUndefined();
  });
});
