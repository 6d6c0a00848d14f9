import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { creditsLedger, identity, type KeyKind, newId, type ReplyOf, type RequestOf } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { copyDatabase, eventually } from '@tds/test-kit';
import { startLedger, type TestLedger } from './test-support/start-ledger.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(async () => {
  expect(await ledger.database.findings()).toEqual([]);
  await ledger.stop();
});

const isKnown = async (table: 'key_owners' | 'person_caps', id: string, version = 0) => {
  const [text, more] =
    table === 'key_owners' ? ['key_id = $1', []] : ['person_id = $1 AND version >= $2', [version]];
  const { rows } = await ledger.database.admin.query(`SELECT FROM ${table} WHERE ${text}`, [id, ...more]);
  expect(rows).toHaveLength(1);
};

type Person = { readonly accountId: string; readonly personId?: string };
const newKey = async (person: Person, kind?: KeyKind) => {
  const keyId = randomUUID();
  await ledger.emit(identity.keyCreated, { ...person, keyId, ...(kind && { kind }) });
  await eventually(() => isKnown('key_owners', keyId));
  return keyId;
};
const fact = { role: 'member', isRemoved: false } as const;
const setCap = async (
  { accountId, personId = accountId }: Person,
  dailyCreditCap: number | null,
  version: number,
) => {
  await ledger.emit(identity.personChanged, { ...fact, accountId, personId, dailyCreditCap, version });
  await eventually(() => isKnown('person_caps', personId, version));
};
const reserve = (
  { accountId }: Person,
  keyId: string,
  fields: Parameters<TestLedger['requests']['reserve']>[0] = {},
) => ledger.requests.reserve({ accountId, keyId, ref: newId(), ...fields });
const charge = async (person: Person, keyId: string) => {
  const ref = newId();
  await reserve(person, keyId, { ref });
  await ledger.requests.charge(ref);
};
const today = () => new Date().toISOString().slice(0, 10);

/** An account of two people: the first with a key and a dashboard key, the second with an app. */
const newAccount = async () => {
  const first = { accountId: randomUUID() };
  const second = { ...first, personId: randomUUID() };
  const [old, dashboard, app] = [
    await newKey(first),
    await newKey({ ...first, personId: first.accountId }, 'dashboard'),
    await newKey(second, 'app'),
  ];
  return { first, second, keys: { old, dashboard, app } };
};

describe('rows say who caused them', () => {
  type Filter = Partial<RequestOf<typeof creditsLedger.getUsage>>;
  const read = async (accountId: string, filter: Filter = {}) => {
    const all = { accountId, keyId: null, ...filter };
    const page = { limit: 3, offset: 0, asOf: null };
    const usage = await ledger.call(
      creditsLedger.getUsage,
      { ...all, from: today(), to: today() },
      testContext(),
    );
    const lines = await ledger.call(creditsLedger.getLedger, { ...all, ...page, jobId: null }, testContext());
    const requests = await ledger.call(
      creditsLedger.listRequests,
      { ...all, code: null, failed: null, from: null, to: null, limit: 10, offset: 0 },
      testContext(),
    );
    return { usage: usage.rows, lines, requests: requests.requests };
  };

  it('in usage, ledger and the log of requests, and are found by person and by kind of key', async () => {
    const { first, second, keys } = await newAccount();
    const { accountId } = first;
    for (const _ of [1, 2]) await charge(first, keys.old);
    for (const _ of [1, 2]) await charge(first, keys.dashboard);
    await charge(second, keys.app);
    const logged = (key_id: string | null, person_id: string | null) => ({
      ...{ account_id: accountId, request_id: newId(), key_id, person_id, route: 'getTranscript', status: 200 },
      ...{ code: null, credits_charged: 1, duration_ms: 1, video_id: null, job_id: null },
    });
    const rows = [
      logged(keys.old, accountId),
      logged(keys.app, second.personId),
      logged(null, second.personId),
    ];
    await ledger.call(creditsLedger.recordRequests, { requests: rows }, testContext());

    const all = await read(accountId);
    const [byOld, byDashboard] = [
      { key_id: keys.old, person_id: accountId, via: null },
      { key_id: keys.dashboard, person_id: accountId, via: 'dashboard' },
    ];
    const byApp = { key_id: keys.app, person_id: second.personId, via: 'app' };
    expect(all.usage).toHaveLength(3);
    expect(all.usage).toEqual(expect.arrayContaining([byOld, byDashboard, byApp].map(expect.objectContaining)));
    expect(all.lines.rows).toMatchObject([byApp, byDashboard, byDashboard]);

    const ofFirst = await read(accountId, { personId: accountId });
    expect(ofFirst.usage).toHaveLength(2);
    expect(ofFirst.lines).toMatchObject({ total: 4, rows: [byDashboard, byDashboard, byOld] });
    expect(ofFirst.requests).toMatchObject([{ key_id: keys.old, person_id: accountId }]);

    const ofSecond = await read(accountId, { personId: second.personId });
    expect(ofSecond.usage).toMatchObject([{ ...byApp, credits_charged: 1 }]);
    expect(ofSecond.lines).toMatchObject({ total: 1, rows: [byApp] });
    expect(ofSecond.requests.map(({ via }) => via).toSorted()).toEqual(['app', 'dashboard']);

    const inDashboard = await read(accountId, { via: 'dashboard' });
    expect(inDashboard.usage).toMatchObject([byDashboard]);
    expect(inDashboard.lines).toMatchObject({ total: 2, rows: [byDashboard, byDashboard] });
    expect(inDashboard.requests).toMatchObject([{ key_id: null, person_id: second.personId }]);

    const stranger = await read(randomUUID(), { personId: second.personId });
    expect(stranger).toMatchObject({ usage: [], lines: { total: 0, rows: [] }, requests: [] });
  });

  it('page by page, newest first over all keys of a person', async () => {
    const { first, keys } = await newAccount();
    for (const key of [keys.old, keys.dashboard, keys.old, keys.app, keys.dashboard, keys.old])
      await charge(first, key);
    const ask = { accountId: first.accountId, keyId: null, personId: first.accountId, jobId: null, limit: 2 };
    const found: string[] = [];
    let asOf: number | null = null;
    type Page = ReplyOf<typeof creditsLedger.getLedger>;
    for (const offset of [0, 2, 4]) {
      const page: Page = await ledger.call(creditsLedger.getLedger, { ...ask, offset, asOf }, testContext());
      expect(page.total).toBe(5);
      asOf = page.asOf;
      found.push(...page.rows.map(({ key_id }) => key_id ?? ''));
      await charge(first, keys.dashboard);
    }
    expect(found).toEqual([keys.old, keys.dashboard, keys.old, keys.dashboard, keys.old]);
  });
});

describe('the daily cap of a person', () => {
  it('holds for all their keys, apps and sessions together, also for a hundred at once', async () => {
    const { first, second, keys } = await newAccount();
    await setCap(first, 30, 1);
    await ledger.database.functions.grant(first.accountId, 'purchase', 500, new Date());
    const answers = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) => reserve(first, index % 2 ? keys.old : keys.dashboard)),
    );
    const replies = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    expect(replies.filter(({ held }) => held.length > 0).length).toBeLessThanOrEqual(30);
    // Of those that found the account busy, some more are held.
    for (const _ of Array(30)) await reserve(first, keys.old);
    const { rows } = await ledger.database.admin.query<{ used: number }>(
      'SELECT sum(credits_used)::int AS used FROM key_days WHERE account_id = $1',
      [first.accountId],
    );
    expect(rows).toEqual([{ used: 30 }]);
    expect(await reserve(first, keys.old)).toMatchObject({ held: [], why: 'person_credit_cap', capLeft: 0 });
    expect(await reserve(second, keys.app)).toMatchObject({ held: [1], capLeft: null });
  });

  it('holds beside that of a key: the smaller rest decides, and is named', async () => {
    const { first, keys } = await newAccount();
    await setCap(first, 3, 1);
    const items = [1, 2, 3, 4];
    const wish = { items, coverage: 'some' } as const;
    expect(await reserve(first, keys.old, { ...wish, dailyCreditCap: 2 })).toMatchObject({
      ...{ held: [1, 2], why: 'daily_credit_cap', capLeft: 0 },
    });
    expect(await reserve(first, keys.dashboard, wish)).toMatchObject({
      ...{ held: [1], why: 'person_credit_cap', capLeft: 0 },
    });
  });

  it('follows its changes, whatever order they arrive in, and a release returns its credit', async () => {
    const { first, keys } = await newAccount();
    await setCap(first, 1, 2);
    const ref = newId();
    await reserve(first, keys.old, { ref });
    await ledger.emit(identity.personChanged, {
      ...fact,
      ...{ accountId: first.accountId, personId: first.accountId, dailyCreditCap: 9, version: 1 },
    });
    expect(await reserve(first, keys.old)).toMatchObject({ held: [] });
    await ledger.requests.release(ref);
    expect(await reserve(first, keys.dashboard)).toMatchObject({ held: [1], capLeft: 0 });
    await setCap(first, null, 3);
    expect(await reserve(first, keys.old)).toMatchObject({ held: [1], capLeft: null });
  });

  it('lets no key pay whose person the ledger does not know yet; without caps it may', async () => {
    const { first } = await newAccount();
    const unknown = randomUUID();
    expect(await reserve(first, unknown)).toMatchObject({ held: [1] });
    await setCap(first, 5, 1);
    await expect(reserve(first, unknown)).rejects.toMatchObject({ code: 'service_unavailable' });
    await ledger.emit(identity.keyCreated, { ...first, keyId: unknown, kind: 'dashboard' });
    await eventually(() => isKnown('key_owners', unknown));
    expect(await reserve(first, unknown)).toMatchObject({ held: [1], capLeft: 3 });
  });

  it('is kept if the ledger is restored to an earlier copy', async () => {
    const { first, keys } = await newAccount();
    const copy = await copyDatabase(ledger.database);
    await setCap(first, 1, 1);
    await copy.putBack();
    await eventually(() => isKnown('person_caps', first.accountId, 1));
    expect(await reserve(first, keys.old, { items: [1, 2] })).toMatchObject({ why: 'person_credit_cap' });
    await copy.drop();
  });
});

describe('what a removed person passed on', () => {
  it('is bound by their cap no more', async () => {
    const { second, keys } = await newAccount();
    await setCap(second, 1, 1);
    await charge(second, keys.app);
    expect(await reserve(second, keys.app)).toMatchObject({ held: [] });
    const { accountId, personId } = second;
    const removed = { role: 'member', isRemoved: true, dailyCreditCap: 1, version: 2 } as const;
    await ledger.emit(identity.personChanged, { accountId, personId, ...removed });
    await eventually(() => isKnown('person_caps', personId, 2));
    expect(await reserve(second, keys.app)).toMatchObject({ held: [1] });
  });
});
