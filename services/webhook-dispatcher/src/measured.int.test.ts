import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { startDispatcher, type TestDispatcher } from './test-support/start-dispatcher.ts';

let service: TestDispatcher;
beforeAll(async () => {
  service = await startDispatcher();
});
afterAll(() => service.stop());

const scrape = () => service.harness.scrape('webhook-dispatcher');

it('a metric shows the lag of deliveries', async () => {
  const { accountId } = await service.newAccount();
  const before = (await scrape())('tds_delivery_lag_seconds_count') ?? 0;
  await service.emitJob('jobCompleted', { accountId });
  await service.until(accountId, ({ delivery }) => delivery.status === 'delivered');
  const metric = await scrape();
  expect(metric('tds_delivery_lag_seconds_count')).toBe(before + 1);
  expect(metric('tds_delivery_lag_seconds_bucket', { le: '30' })).toBe(before + 1);
});

it('a metric shows overdue queues, and for how long', async () => {
  const { accountId } = await service.newAccount();
  await service.emitJob('jobCompleted', { accountId });
  await service.until(accountId, ({ delivery }) => delivery.status === 'delivered');
  const client = await service.kit().db.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE endpoints'); // blocks claims
  await service.rows.makeDue('queues', { where: 'account_id = $1', values: [accountId] }, '-5 minutes');
  // A scrape that takes too long on a busy machine shows nothing: the next one does.
  const overdue = eventually(async () => {
    const metric = await scrape();
    expect(metric('tds_backlog', { what: 'deliveries' })).toBe(1);
    expect(metric('tds_backlog_oldest_seconds', { what: 'deliveries' })).toBeGreaterThanOrEqual(300);
  });
  await overdue.finally(() => client.query('ROLLBACK'));
  client.release();
  await eventually(async () => expect((await scrape())('tds_backlog', { what: 'deliveries' })).toBe(0));
});
