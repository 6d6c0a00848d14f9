import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSessionToken, creditsLedger, type RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { usageRollupsBody } from '@tds/http-api';
import { eventually } from '@tds/test-kit';
import request from 'supertest';
import { newApiKey, newPrincipal, newTranscript, VIDEO_ID } from '../../test-support/builders.ts';
import { KEY, startUsageReader, type UsageReader } from '../../test-support/start-usage-reader.ts';

let harness: UsageReader['harness'];
let account: UsageReader['account'];
let get: UsageReader['get'];
let asked: UsageReader['requestsOf'];
beforeAll(async () => {
  ({ harness, account, get, requestsOf: asked } = await startUsageReader());
});
afterAll(() => harness?.stop());
beforeEach(() => {
  harness.ledger.asked.length = 0;
});

const row = (date: string, key_id: string | null, cache_hits: number) => ({
  ...{ date, key_id, requests: 9, cache_hits, cold_deliveries: 2, job_rows: 1, search_pages: 4 },
  ...{ failures: 1, credits_charged: 2, person_id: null, via: null },
});

describe('rejected queries', () => {
  it.each([
    ['?resource=rollups', 'unknown_query_mode'],
    ['?resource=', 'unknown_query_mode'],
    ['?resource=ledger&resource=ledger', 'unknown_query_mode'],
    ['?from=2027-02-29', 'invalid_usage_date'],
    ['?from=2027-2-1', 'invalid_usage_date'],
    ['?to=2027-13-01', 'invalid_usage_date'],
    ['?to=2027-01-01T00:00:00Z', 'invalid_usage_date'],
    ['?to=', 'invalid_usage_date'],
    ['?from=0000-01-01', 'invalid_usage_date'],
    ['?from=%002027-01-01', 'invalid_usage_date'],
    ['?from[]=2027-01-01', 'invalid_usage_date'],
    ['?from=1e3', 'invalid_usage_date'],
    ['?from=2028-02-02&to=2028-02-01', 'invalid_usage_range'],
    ['?from=2028-03-02', 'invalid_usage_range'],
    ['?from=2027-01-01&to=2028-01-02', 'usage_range_too_large'],
    ['?from=1970-01-01&to=9999-12-31', 'usage_range_too_large'],
    ['?format=xml', 'invalid_usage_format'],
    ['?format=CSV', 'invalid_usage_format'],
    ['?format=json&format=csv', 'invalid_usage_format'],
    ['?resource=ledger&format=csv', 'invalid_ledger_format'],
    ...['0', '201', '-1', '+5', '%205', '1e2', '0x10', '1.5', '', '-0', '007', 'ten', '9'.repeat(30)].map(
      (limit): [string, string] => [`?resource=ledger&limit=${limit}`, 'invalid_ledger_limit'],
    ),
    ...['-1', '+5', '1e2', '0.5', '', '-0', '9'.repeat(30), 'null'].map((offset): [string, string] => [
      `?resource=ledger&offset=${offset}`,
      'invalid_ledger_offset',
    ]),
    ['?resource=ledger&limit=5&limit=6', 'invalid_ledger_limit'],
    ['?resource=ledger&as_of=x', 'invalid_ledger_offset'],
    ['?resource=ledger&from=2028-01-01', 'unknown_parameter'],
    ['?via=session', 'invalid_via'],
    ['?resource=ledger&via=', 'invalid_via'],
    ['?limit=5', 'unknown_parameter'],
    ['?offset=0', 'unknown_parameter'],
  ])('%s is 400 %s', async (search, code) => {
    const answer = await get(search);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.headers['x-credits-charged']).toBe('0');
    expect([asked('getUsage'), asked('getLedger')]).toEqual([[], []]);
  });

  it.each(['?key_id=x', `?key_id=${KEY}0`, '?resource=ledger&key_id='])(
    '%s is 404 key_not_found',
    async (search) => {
      const answer = await get(search);
      expect([answer.status, answer.body.code]).toEqual([404, 'key_not_found']);
    },
  );

  it.each(['', '&resource=ledger'])('an unknown key or one of another account is not found%s', async (more) => {
    const nothing = { rows: [], isKnownKey: false };
    harness.ledger.commands.getUsage = async () => nothing;
    harness.ledger.commands.getLedger = async () => ({ ...nothing, asOf: 3, total: 0, seal: null });
    const answer = await get(`?key_id=${KEY}${more}`);
    expect([answer.status, answer.body.code]).toEqual([404, 'key_not_found']);
    harness.identity.commands.listKeys = async () => ({
      keys: [newApiKey({ id: KEY })],
      live_keys: 1,
      key_limit: 2,
    });
    expect((await get(`?key_id=${KEY}${more}`)).status).toBe(200);
    harness.identity.commands.listKeys = async () => ({ keys: [newApiKey()], live_keys: 1, key_limit: 2 });
  });
});

describe('rollups', () => {
  it('are those of the account, by default of the last thirty days', async () => {
    const rows = [row('2028-02-29', KEY, 3), row('2028-03-01', null, 0)];
    harness.ledger.commands.getUsage = async () => ({ rows, isKnownKey: true });
    const answer = await get('');
    const { accountId } = account.principal;
    const range = { from: '2028-02-01', to: '2028-03-01' };
    expect(asked('getUsage')).toEqual([{ accountId, keyId: null, ...range }]);
    expect(usageRollupsBody.strict().parse(answer.body)).toEqual({
      ok: true,
      scope: { account_id: accountId, key_id: null },
      range,
      rows,
    });
  });

  it('are returned as CSV with one line per row and a file name with the days', async () => {
    const rows = [row('2028-02-29', KEY, 3), row('2028-03-01', null, 0)];
    harness.ledger.commands.getUsage = async () => ({ rows, isKnownKey: true });
    const answer = await get(`?format=csv&from=2028-02-01&to=2028-03-01&key_id=${KEY}`);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="usage_2028-02-01_2028-03-01.csv"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-credits-charged': '0',
    });
    expect(answer.text).toBe(
      '\ufeffdate,key_id,requests,cache_hits,cold_deliveries,job_rows,search_pages,failures,credits_charged,person_id,via\r\n' +
        `2028-02-29,${KEY},9,3,2,1,4,1,2,,\r\n2028-03-01,,9,0,2,1,4,1,2,,\r\n`,
    );
    expect(asked('getUsage')).toMatchObject([{ keyId: KEY }]);
  });

  it('of too many keys are 400 with a remedy', async () => {
    harness.ledger.commands.getUsage = async () => {
      throw serviceError('usage_range_too_large', { message: 'Ask for one key.' });
    };
    expect((await get('')).body).toMatchObject({
      code: 'usage_range_too_large',
      message: 'Ask for one key.',
    });
  });

  it('are open to a session without another header', async () => {
    const holder = newPrincipal({ keyId: null });
    harness.identity.commands.authenticateSession = async () => holder;
    harness.ledger.commands.getUsage = async () => ({ rows: [], isKnownKey: true });
    const cookie = `svc_dashboard=${createSessionToken()}`;
    const answer = await request(harness.url).get('/v1/usage').set('cookie', cookie);
    expect(answer.body.scope).toEqual({ account_id: holder.accountId, key_id: null });
  });
});

describe('the counts of requests', () => {
  it.each(['/v1/usage', '/v1/account'])('are in the next answer of %s at once', async (path) => {
    const reader = await harness.addAccount({ tier: 'paid' });
    const get = (url: string) => request(harness.url).get(url).set(reader.bearer);
    const { accountId } = reader.principal;
    const counted = () =>
      (asked('recordUsage') as RequestOf<typeof creditsLedger.recordUsage>[])
        .flatMap(({ items }) => items)
        .filter((item) => item.accountId === accountId)
        .reduce((all, { requests }) => all + requests, 0);
    let known = 0;
    harness.ledger.commands.getUsage = async () => {
      known = counted();
      return { rows: [], isKnownKey: true };
    };
    harness.ledger.commands.getDayUsage = async () => {
      known = counted();
      return {
        requests: 0,
        cacheHits: 0,
        coldDeliveries: 0,
        jobRows: 0,
        searchPages: 0,
        failures: 0,
        creditsCharged: 0,
      };
    };
    for (let answered = 0; answered < 6; answered += 2) {
      expect((await get('/v1/transcript?video_id=x')).status).toBe(400);
      expect((await get(path)).status).toBe(200);
      expect(known).toBe(answered + 1);
    }
  });

  it('reach the ledger within two seconds: requests, hits and failures of the key', async () => {
    const reader = await harness.addAccount({ tier: 'paid' });
    const delivered = newTranscript('text', { cache: 'HIT', creditsCharged: 0 });
    await harness.cache(delivered, 'text');
    const read = (search: string) => request(harness.url).get(`/v1/transcript?${search}`).set(reader.bearer);
    for (const _ of [1, 2, 3]) expect((await read(`video_id=${VIDEO_ID}`)).headers['x-cache']).toBe('HIT');
    expect((await read('video_id=x')).status).toBe(400);
    expect((await request(harness.url).get('/v1/transcript')).status).toBe(403);
    const { accountId, keyId } = reader.principal;
    await eventually(() => {
      const items = (asked('recordUsage') as RequestOf<typeof creditsLedger.recordUsage>[])
        .flatMap((batch) => creditsLedger.recordUsage.request.parse(batch).items)
        .filter((item) => item.accountId === accountId);
      const sum = (name: 'requests' | 'cacheHits' | 'failures') =>
        items.reduce((all, item) => all + item[name], 0);
      expect(items.every((item) => item.keyId === keyId && item.day === '2028-03-01')).toBe(true);
      expect([sum('requests'), sum('cacheHits'), sum('failures')]).toEqual([4, 3, 1]);
    });
  });
});
