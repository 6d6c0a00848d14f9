import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keptRequests, newId } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { limitDeletes } from '@tds/test-kit';
import { forgetRequests } from './schedules.ts';
import { createDatabase, type Database } from './store/database.ts';
import { type LedgerDatabase, openLedgerDatabase } from './test-support/ledger-database.ts';

const now = new Date('2026-11-20T12:00:00Z');
const MINUTE_MS = 60_000;
let database: LedgerDatabase;
let db: Database;
beforeAll(async () => {
  database = await openLedgerDatabase();
  db = createDatabase(database.app);
  await limitDeletes(database.adminUrl, 'requests', 1_000);
});
afterAll(async () => {
  await db?.$disconnect();
  await database?.close();
});

/** Adds so many requests of an account with one code, the last of them at a time. */
const add = async (accountId: string, code: string, count: number, lastAt = now): Promise<string[]> => {
  const ids = Array.from({ length: count }, (_, index) => newId(new Date(lastAt.getTime() - index)));
  await database.admin.query(
    `INSERT INTO requests (account_id, request_id, route, status, code, credits_charged, duration_ms)
     SELECT $1, id, 'getTranscript', 200, $2, 0, 1 FROM unnest($3::uuid[]) AS id`,
    [accountId, code, ids],
  );
  return ids;
};
const count = async (accountId: string, code: string): Promise<number> => {
  const text = 'SELECT count(*)::int AS count FROM requests WHERE account_id = $1 AND code = $2';
  return (await database.admin.query<{ count: number }>(text, [accountId, code])).rows[0]?.count ?? -1;
};
const forget = () => forgetRequests({ db, now: () => now }, testContext());

it('requests are deleted after seven days, tens of thousands in one run, in short statements', async () => {
  const accountId = randomUUID();
  const weekAgo = new Date('2026-11-13T12:00:00Z').getTime();
  await add(accountId, 'no_captions', 20_000, new Date(weekAgo - 1));
  await add(accountId, 'no_captions', 3, new Date(weekAgo + MINUTE_MS));
  await forget();
  expect(await count(accountId, 'no_captions')).toBe(3);
});

it('a flood of one error leaves its newest requests, and pushes out no charge and no other error', async () => {
  const [accountId, other] = [randomUUID(), randomUUID()];
  const before = new Date(now.getTime() - MINUTE_MS);
  await add(accountId, '', 30, before);
  await add(accountId, 'no_captions', 40, before);
  await add(other, 'rate_limit', 50, before);
  const flood = await add(accountId, 'rate_limit', keptRequests.withOneCode + 2_500);
  await forget();
  expect(await count(accountId, '')).toBe(30);
  expect(await count(accountId, 'no_captions')).toBe(40);
  expect(await count(other, 'rate_limit')).toBe(50);
  const { rows } = await database.admin.query<{ id: string }>(
    `SELECT request_id AS id FROM requests WHERE account_id = $1 AND code = 'rate_limit' ORDER BY id DESC`,
    [accountId],
  );
  expect(rows.map(({ id }) => id)).toEqual(flood.slice(0, keptRequests.withOneCode));
});

it('charged requests of an account have a bound of their own', async () => {
  const accountId = randomUUID();
  await add(accountId, '', keptRequests.withoutError + 10);
  await forget();
  expect(await count(accountId, '')).toBe(keptRequests.withoutError);
});

it('all requests of a closed account are deleted, also what arrived while it was closed', async () => {
  const accountId = randomUUID();
  await database.functions.open(accountId, now);
  await add(accountId, '', 3);
  await add(accountId, 'no_captions', 4);
  await forget();
  expect(await count(accountId, '')).toBe(3);
  await database.functions.setStatus(accountId, 'closed', 1);
  await forget();
  expect([await count(accountId, ''), await count(accountId, 'no_captions')]).toEqual([0, 0]);
});
