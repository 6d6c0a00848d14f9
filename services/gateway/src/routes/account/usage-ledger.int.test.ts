import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { LedgerEntry } from '@tds/contracts';
import { usageLedgerBody } from '@tds/http-api';
import request from 'supertest';
import { VIDEO_ID } from '../../test-support/builders.ts';
import { KEY, startUsageReader, type UsageReader } from '../../test-support/start-usage-reader.ts';

let harness: UsageReader['harness'];
let account: UsageReader['account'];
let get: UsageReader['get'];
let asked: UsageReader['requestsOf'];
const JOB = '01a2011e-2364-7000-8000-000000000000';
/** An answer about nothing that is sealed. */
const unsealed = { seal: null, isKnownKey: true };
beforeAll(async () => {
  ({ harness, account, get, requestsOf: asked } = await startUsageReader());
});
afterAll(() => harness?.stop());
beforeEach(() => {
  harness.ledger.asked.length = 0;
});

describe('the ledger', () => {
  const same = (value: number) => ({ before: value, after: value });
  const entry = (id: string, overrides: Partial<LedgerEntry>): LedgerEntry => ({
    ...{ id, created_at: '2028-02-29T23:59:59.999Z', kind: 'delivery', amount: -1 },
    ...{ balance: { before: 105, after: 104 }, free: same(99), purchased: same(5) },
    ...{ reserved: { before: 1, after: 0 }, reason: 'transcript', video_id: VIDEO_ID, language: 'de' },
    ...{ job_id: null, rows: null, q: null, type: null, reference: 'r', key_id: KEY, request_id: 'r1' },
    ...{ person_id: null, via: null },
    ...overrides,
  });

  it('is the page of the ledger as it is, with the seal of its reading', async () => {
    const rows = [entry('5', {}), entry('1', { kind: 'monthly_grant', amount: 100 })];
    harness.ledger.commands.getLedger = async () => ({
      rows,
      asOf: 7,
      total: 7,
      isKnownKey: true,
      seal: 'ab12',
    });
    const answer = await get('?resource=ledger&limit=2&offset=2&as_of=7');
    const { accountId } = account.principal;
    expect(asked('getLedger')).toEqual([{ accountId, keyId: null, jobId: null, limit: 2, offset: 2, asOf: 7 }]);
    const body = usageLedgerBody.strict().parse(answer.body);
    expect(body).toMatchObject({ limit: 2, offset: 2, total: 7, has_more: true, as_of: 7, seal: 'ab12' });
    expect(body.rows).toEqual(rows);
  });

  it('leads from page to page by next, with the same reading, key and page size', async () => {
    const pages: Record<number, LedgerEntry[]> = { 0: [entry('5', {})], 1: [entry('4', {})] };
    harness.ledger.commands.getLedger = async ({ offset }) => ({
      rows: pages[offset] ?? [],
      asOf: 9,
      total: 2,
      ...unsealed,
    });
    const first = await get(`?resource=ledger&limit=1&key_id=${KEY}`);
    expect(first.body.next).toBe(`/v1/usage?resource=ledger&key_id=${KEY}&limit=1&offset=1&as_of=9`);
    const second = await request(harness.url).get(first.body.next).set(account.bearer);
    expect(second.body).toMatchObject({
      rows: [{ id: '4' }],
      offset: 1,
      as_of: 9,
      has_more: false,
      next: null,
    });
    expect(asked('getLedger')).toMatchObject([
      { keyId: KEY, limit: 1, offset: 0, asOf: null },
      { keyId: KEY, limit: 1, offset: 1, asOf: 9 },
    ]);
  });

  it('filters by job, on every page', async () => {
    const rows = ['4', '3', '2'].map((number) => entry(number, { job_id: JOB, rows: 7 }));
    harness.ledger.commands.getLedger = async () => ({ rows, asOf: 9, total: 4, ...unsealed });
    const answer = await get(`?resource=ledger&limit=3&job_id=${JOB}`);
    expect(asked('getLedger')).toMatchObject([{ keyId: null, jobId: JOB }]);
    expect(answer.body).toMatchObject({
      rows,
      next: `/v1/usage?resource=ledger&job_id=${JOB}&limit=3&offset=3&as_of=9`,
    });
  });

  it('filters by person and kind of key, on every page', async () => {
    const rows = [entry('4', { person_id: KEY, via: 'dashboard' })];
    harness.ledger.commands.getLedger = async () => ({ rows, asOf: 9, total: 4, ...unsealed });
    const search = `resource=ledger&person_id=${KEY}&via=dashboard&limit=1`;
    const answer = await get(`?${search}`);
    expect(asked('getLedger')).toMatchObject([{ keyId: null, personId: KEY, via: 'dashboard' }]);
    expect(answer.body).toMatchObject({ rows, next: `/v1/usage?${search}&offset=1&as_of=9` });
  });

  it('has 100 rows a page by default, newest first', async () => {
    harness.ledger.commands.getLedger = async () => ({ rows: [], asOf: 0, total: 0, ...unsealed });
    const answer = await get('?resource=ledger');
    expect(asked('getLedger')).toMatchObject([{ limit: 100, offset: 0, asOf: null }]);
    expect(answer.body).toMatchObject({ rows: [], total: 0, has_more: false, next: null, seal: null });
  });
});
