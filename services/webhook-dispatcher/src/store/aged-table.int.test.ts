import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestPool } from '@tds/base/testing';
import { testContext } from '@tds/kit/testing';
import { startDispatcher, type TestDispatcher } from '../test-support/start-dispatcher.ts';

const ROWS_OF_A_DAY = 2_000;
const DAYS = 30;
const CYCLES = 4;
const accountId = randomUUID();
let service: TestDispatcher;

/** Inserts deliveries that ended `days` ago; one in a hundred has failed. */
const addDay = (age: number) =>
  service.query(
    `INSERT INTO deliveries (id, account_id, endpoint_id, event_id, kind, body, is_override, state, attempts, created_at, ended_at)
     SELECT gen_random_uuid(), $1, gen_random_uuid(), gen_random_uuid(), 'job.completed', repeat('x', 300), false,
       CASE WHEN n % 100 = 0 THEN 'failed' ELSE 'delivered' END, 1, at, at
     FROM generate_series(1, ${ROWS_OF_A_DAY}) AS n
     CROSS JOIN LATERAL (SELECT now() - $2 * interval '1 day' + n * interval '10 milliseconds' AS at) AS moment`,
    [accountId, age],
  );
const purge = () => service.handlers().schedules.purgeOldRows(testContext());
const count = async () =>
  (await service.query<{ n: number }>('SELECT count(*)::int AS n FROM deliveries'))[0]?.n ?? 0;

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
const countBlocks = async (sql: string): Promise<number> => {
  const rows = await service.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (plan === undefined) throw new Error('no plan');
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
};

/** As autovacuum does, which only the owner may. */
const vacuum = async (): Promise<void> => {
  const owner = createTestPool(service.harness.databases['webhook-dispatcher'].ownerUrl, 1);
  await owner.query('VACUUM ANALYZE deliveries');
  await owner.end();
};

/** Ages the table: repeatedly deletes the oldest day, vacuums, and adds a day in the freed space. */
beforeAll(async () => {
  service = await startDispatcher();
  for (let age = DAYS; age > 0; age -= 1) await addDay(age - 0.5);
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    await service.query(`UPDATE deliveries SET ended_at = ended_at - interval '1 day', created_at = created_at - interval '1 day'
      WHERE ended_at < now() - interval '28.4 days'`);
    await purge();
    await vacuum();
    await addDay(0.1);
  }
  await vacuum();
});
afterAll(() => service.stop());

describe('a table of deliveries that has aged', () => {
  it('is purged at the cost of the old rows, not of the kept ones', async () => {
    await service.query(
      `UPDATE deliveries SET ended_at = now() - interval '31 days' WHERE id IN (SELECT id FROM deliveries LIMIT 16)`,
    );
    const blocks = await countBlocks(
      `SELECT id FROM deliveries WHERE ended_at < now() - interval '30 days' ORDER BY ended_at LIMIT 1000`,
    );
    expect(blocks).toBeLessThan(100);
    const before = await count();
    await purge();
    expect(await count()).toBe(before - 16);
  });

  it.each(['failed', 'delivered', 'pending'] as const)(
    'is listed by %s page for page through an index',
    async (status) => {
      const condition = {
        failed: `state = 'failed' AND ended_at IS NOT NULL`,
        delivered: `state = 'delivered' AND ended_at IS NOT NULL`,
        pending: 'ended_at IS NULL',
      }[status];
      const blocks = await countBlocks(
        `SELECT id FROM deliveries WHERE account_id = '${accountId}' AND ${condition} ORDER BY created_at DESC, id ASC LIMIT 21`,
      );
      expect(blocks).toBeLessThan(100);
      const { deliveries } = await service.list(accountId, { status, limit: 20 });
      expect(new Set(deliveries.map((one) => one.status)).size).toBe(status === 'pending' ? 0 : 1);
    },
  );
});
