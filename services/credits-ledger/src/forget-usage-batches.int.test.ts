import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testContext } from '@tds/kit/testing';
import { limitDeletes } from '@tds/test-kit';
import { forgetUsageBatches } from './schedules.ts';
import { createDatabase, type Database } from './store/database.ts';
import { type LedgerDatabase, openLedgerDatabase } from './test-support/ledger-database.ts';

const now = new Date('2026-11-20T12:00:00Z');
let database: LedgerDatabase;
let db: Database;
beforeAll(async () => {
  database = await openLedgerDatabase();
  db = createDatabase(database.app);
});
afterAll(async () => {
  await db.$disconnect();
  await database.close();
});

it('usage batches are deleted after seven days, 100,000 in one run, in short statements', async () => {
  await database.admin.query(`
    INSERT INTO usage_batches (id, received_at)
    SELECT gen_random_uuid(), '2026-11-13T11:59:59Z' FROM generate_series(1, 100000)`);
  const kept = randomUUID();
  await database.admin.query(`INSERT INTO usage_batches VALUES ($1, '2026-11-13T12:00:01Z')`, [kept]);
  await limitDeletes(database.adminUrl, 'usage_batches', 1_000);
  await forgetUsageBatches({ db, now: () => now }, testContext());
  expect((await database.admin.query('SELECT id FROM usage_batches')).rows).toEqual([{ id: kept }]);
});
