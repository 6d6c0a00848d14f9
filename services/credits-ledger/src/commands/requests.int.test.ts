import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { creditsLedger, identity, newId, type ReportedRequest, type RequestOf, timeOfId } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { codeOf, eventually } from '@tds/test-kit';
import { startLedger, type TestLedger } from '../test-support/start-ledger.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(() => ledger?.stop());

const NOON = '2027-01-31T12:00:00.000Z';
const newRequest = (given: Partial<ReportedRequest> = {}, at = NOON): ReportedRequest => ({
  account_id: randomUUID(),
  request_id: newId(new Date(at)),
  key_id: randomUUID(),
  route: 'getTranscript',
  status: 404,
  code: 'no_captions',
  credits_charged: 0,
  duration_ms: 12,
  video_id: 'manualEn001',
  job_id: null,
  person_id: null,
  ...given,
});
const charged = { status: 200, code: null, credits_charged: 1 };

const record = (...requests: ReportedRequest[]) =>
  ledger.call(creditsLedger.recordRequests, { requests }, testContext());
const get = (accountId: string, requestId: string) =>
  ledger.call(creditsLedger.getRequest, { accountId, requestId }, testContext());
const list = (accountId: string, given: Partial<RequestOf<typeof creditsLedger.listRequests>> = {}) => {
  const all = { keyId: null, code: null, failed: null, from: null, to: null, limit: 100, offset: 0 };
  return ledger.call(creditsLedger.listRequests, { accountId, ...all, ...given }, testContext());
};
const toPublic = ({ account_id: _, ...row }: ReportedRequest) => ({
  ...row,
  created_at: timeOfId(row.request_id).toISOString(),
  via: null,
});

describe('a reported request', () => {
  it('is found by its id, with the time that the id says', async () => {
    const request = newRequest({ job_id: randomUUID() });
    expect(await record(request)).toEqual({ added: 1 });
    expect(await get(request.account_id, request.request_id)).toEqual({ request: toPublic(request) });
    expect(toPublic(request).created_at).toBe(NOON);
  });

  it('is added once, however often and beside whatever a report of it arrives, and its first row stays', async () => {
    const request = newRequest(charged);
    const reports = Array.from({ length: 10 }, () => record(newRequest(), request, newRequest()));
    const answers = await Promise.all(reports);
    expect(answers.reduce((sum, { added }) => sum + added, 0)).toBe(21);
    await record({ ...request, status: 500, code: 'unexpected_error', credits_charged: 0 });
    expect(await get(request.account_id, request.request_id)).toEqual({ request: toPublic(request) });
  });

  it('belongs to its account: the same id of another one is another request, and unknown to third ones', async () => {
    const mine = newRequest(charged);
    const theirs = newRequest({ request_id: mine.request_id });
    await record(mine, theirs);
    expect((await get(mine.account_id, mine.request_id)).request.credits_charged).toBe(1);
    expect((await get(theirs.account_id, mine.request_id)).request.credits_charged).toBe(0);
    expect(await codeOf(get(randomUUID(), mine.request_id))).toBe('request_not_logged');
    expect((await list(randomUUID())).total).toBe(0);
  });

  it('of a closed account is deleted, and none is added later', async () => {
    const request = newRequest();
    const accountId = request.account_id;
    await record(request);
    await ledger.emit(identity.accountStatusChanged, { accountId, status: 'closed', version: 1 });
    await eventually(async () =>
      expect(await codeOf(get(accountId, request.request_id))).toBe('request_not_logged'),
    );
    const other = newRequest();
    expect(await record(request, other)).toEqual({ added: 1 });
    expect(await codeOf(get(accountId, request.request_id))).toBe('request_not_logged');
  });
});

describe('the log of an account', () => {
  it('is listed newest first, by key, code, failure and UTC day, in pages', async () => {
    const [account_id, key_id] = [randomUUID(), randomUUID()];
    const mine = (given: Partial<ReportedRequest>, at: string) => newRequest({ account_id, ...given }, at);
    const oldest = mine({ key_id }, '2027-01-30T23:59:59.999Z');
    const first = mine({ ...charged, key_id: null }, '2027-01-31T00:00:00.000Z');
    const last = mine({ code: 'rate_limit', status: 429, key_id }, '2027-01-31T23:59:59.999Z');
    const newest = mine({ ...charged, key_id }, '2027-02-01T00:00:00.000Z');
    await record(newest, first, oldest, last, newRequest());
    const idsOf = async (given: Parameters<typeof list>[1]) => {
      const { requests, total } = await list(account_id, given);
      return [requests.map(({ request_id }) => request_id), total];
    };
    const found = (...requests: ReportedRequest[]) => [
      requests.map(({ request_id }) => request_id),
      requests.length,
    ];
    expect(await idsOf({})).toEqual(found(newest, last, first, oldest));
    expect(await idsOf({ keyId: key_id })).toEqual(found(newest, last, oldest));
    expect(await idsOf({ code: 'rate_limit' })).toEqual(found(last));
    expect(await idsOf({ failed: true })).toEqual(found(last, oldest));
    expect(await idsOf({ failed: false })).toEqual(found(newest, first));
    expect(await idsOf({ failed: false, code: 'rate_limit' })).toEqual(found());
    expect(await idsOf({ from: '2027-01-31', to: '2027-01-31' })).toEqual(found(last, first));
    expect(await idsOf({ from: '2027-02-01' })).toEqual(found(newest));
    expect(await idsOf({ to: '2027-01-30', keyId: key_id })).toEqual(found(oldest));
    expect(await idsOf({ limit: 2, offset: 1 })).toEqual([[last.request_id, first.request_id], 4]);
  });

  it('says whether it knows the key that is asked for, also one that was only counted', async () => {
    const { account_id: accountId, key_id: keyId } = newRequest();
    expect((await list(accountId, { keyId })).isKnownKey).toBe(false);
    const counts = { day: '2027-01-31', requests: 1, cacheHits: 0, failures: 0 };
    const items = [{ accountId, keyId: String(keyId), ...counts }];
    await ledger.call(creditsLedger.recordUsage, { id: randomUUID(), items }, testContext());
    expect(await list(accountId, { keyId })).toEqual({ requests: [], total: 0, isKnownKey: true });
    expect((await list(randomUUID(), { keyId })).isKnownKey).toBe(false);
  });
});
