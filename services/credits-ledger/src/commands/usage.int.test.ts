import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { creditsLedger, type UsageItem } from '@tds/contracts';
import { ServiceError } from '@tds/errors';
import { testContext } from '@tds/kit/testing';
import { startLedger, type TestLedger } from '../test-support/start-ledger.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(async () => {
  expect(await ledger.database.findings()).toEqual([]);
  await ledger.stop();
});

const newItem = (given: Partial<UsageItem> = {}): UsageItem => ({
  accountId: randomUUID(),
  keyId: randomUUID(),
  day: '2027-01-31',
  requests: 10,
  cacheHits: 5,
  failures: 1,
  ...given,
});
const record = (items: UsageItem[], id: string = randomUUID()) =>
  ledger.call(creditsLedger.recordUsage, { id, items }, testContext());
const readUsage = (accountId: string, keyId: string | null = null, from = '2027-01-01', to = '2027-12-31') =>
  ledger.call(creditsLedger.getUsage, { accountId, keyId, from, to }, testContext());
/** Charges credits to a key at a given time. */
const charge = async (account_id: string, key_id: string | null, unit: number, now: string) => {
  const ref = randomUUID();
  await ledger.database.functions.reserve([{ account_id, key_id, ref, unit }], new Date(now));
  await ledger.database.functions.settle([ref], new Date(now));
};

/** Repeats a batch that a busy ledger rejected, like the gateway. */
const patiently = async <T>(send: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'service_unavailable')) throw error;
    }
  }
};

describe('counted usage', () => {
  it('is added once per batch, for any number of parallel repeats', async () => {
    const item = newItem();
    const id = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => patiently(() => record([item], id))));
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect((await readUsage(item.accountId)).rows).toMatchObject([
      { requests: 10, cache_hits: 5, failures: 1 },
    ]);
  });

  it('of many concurrent gateways adds up, in any order of items', async () => {
    const items = Array.from({ length: 30 }, () => newItem());
    const shuffled = () => items.toSorted(() => Math.random() - 0.5);
    const batches = Array.from({ length: 16 }, () => ({ id: randomUUID(), items: shuffled() }));
    await Promise.all(batches.map(({ id, items: batch }) => patiently(() => record(batch, id))));
    for (const { accountId } of items) {
      expect((await readUsage(accountId)).rows).toMatchObject([
        { requests: 160, cache_hits: 80, failures: 16 },
      ]);
    }
  });

  it('may have a key twice in one batch', async () => {
    const item = newItem();
    await record([item, { ...item, requests: 3, cacheHits: 0, failures: 0 }]);
    expect((await readUsage(item.accountId)).rows).toMatchObject([{ requests: 13 }]);
  });

  it('never moves a credit: an account that was only counted has no entries', async () => {
    const { accountId } = newItem();
    await record([newItem({ accountId })]);
    const { rows } = await ledger.database.admin.query('SELECT FROM accounts WHERE account_id = $1', [
      accountId,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('usage by day and key', () => {
  it('separates single transcripts, rows of jobs and pages of searches, even if they were charged without a hold', async () => {
    const [account_id, key_id, job_id] = [randomUUID(), randomUUID(), randomUUID()];
    const now = new Date('2027-02-01T12:00:00Z');
    const { functions } = ledger.database;
    const item = (given: object) => ({ account_id, key_id, ref: randomUUID(), unit: 1, ...given });
    const [read, page] = [item({ reason: 'transcript' }), item({ reason: 'search' })];
    const job = item({ reason: 'transcript', job_id, items: [1, 2, 3, 4] });
    await functions.reserve([read, page, job], now);
    await functions.settle([read.ref, page.ref], now);
    await functions.settleItems(job.ref, [1, 2, 3], now);
    await functions.charge(item({ reason: 'transcript', job_id, items: [1, 2] }), now);
    await functions.charge(item({ reason: 'search' }), now);
    const counts = { cold_deliveries: 6, job_rows: 5, search_pages: 2, credits_charged: 8 };
    expect((await readUsage(account_id)).rows).toMatchObject([{ key_id, ...counts }]);
  });

  it('joins counts and charges by UTC day and key, oldest first', async () => {
    const accountId = randomUUID();
    const [one, other] = [randomUUID(), randomUUID()].toSorted() as [string, string];
    await record([
      newItem({ accountId, keyId: one }),
      newItem({ accountId, keyId: one, day: '2027-02-01', requests: 2, cacheHits: 0, failures: 0 }),
      newItem({ accountId, keyId: other, day: '2027-03-01' }),
    ]);
    await charge(accountId, one, 1, '2027-01-31T23:59:59.999Z');
    await charge(accountId, one, 1, '2027-02-01T00:00:00.000Z');
    await charge(accountId, one, 4, '2027-02-01T23:59:59.999Z');
    await charge(accountId, other, 2, '2027-02-01T12:00:00Z');
    await charge(accountId, null, 3, '2027-02-01T12:00:00Z');
    const row = (date: string, key_id: string | null, counts: readonly number[]) => {
      const [requests, cache_hits, cold_deliveries, failures, credits_charged] = counts;
      const reads = { requests, cache_hits, cold_deliveries, job_rows: 0, search_pages: 0 };
      return { date, key_id, ...reads, failures, credits_charged, person_id: null, via: null };
    };
    const all = await readUsage(accountId);
    expect(all).toEqual({
      isKnownKey: true,
      rows: [
        row('2027-01-31', one, [10, 5, 1, 1, 1]),
        row('2027-02-01', one, [2, 0, 2, 0, 5]),
        row('2027-02-01', other, [0, 0, 1, 0, 2]),
        row('2027-02-01', null, [0, 0, 1, 0, 3]),
        row('2027-03-01', other, [10, 5, 0, 1, 0]),
      ],
    });
    expect((await readUsage(accountId, other)).rows).toEqual(all.rows.filter(({ key_id }) => key_id === other));
    expect((await readUsage(accountId, null, '2027-02-01', '2027-02-01')).rows).toHaveLength(3);
    const day = await ledger.call(creditsLedger.getDayUsage, { accountId, day: '2027-02-01' }, testContext());
    expect(day).toMatchObject({
      requests: 2,
      cacheHits: 0,
      coldDeliveries: 4,
      failures: 0,
      creditsCharged: 10,
    });
  });

  it('of a key of another account is unknown', async () => {
    const item = newItem();
    await record([item]);
    expect(await readUsage(randomUUID(), item.keyId)).toEqual({ rows: [], isKnownKey: false });
    const outside = await readUsage(item.accountId, item.keyId, '2020-01-01', '2020-01-02');
    expect(outside).toEqual({ rows: [], isKnownKey: true });
  });

  it('requires a smaller range if the rows exceed one answer', async () => {
    const accountId = randomUUID();
    await ledger.database.admin.query(
      `INSERT INTO usage_days SELECT $1, '2027-01-01'::date + (i % 300), gen_random_uuid(), 1, 0, 0
       FROM generate_series(1, 4001) AS i`,
      [accountId],
    );
    await expect(readUsage(accountId)).rejects.toMatchObject({ code: 'usage_range_too_large' });
    expect((await readUsage(accountId, null, '2027-01-01', '2027-09-01')).rows.length).toBeGreaterThan(3_000);
  });
});
