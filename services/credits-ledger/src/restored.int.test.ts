import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readProjection } from '@tds/base/testing';
import { creditsLedger, identity, newId, webhookDispatcher } from '@tds/contracts';
import { copyDatabase, eventually } from '@tds/test-kit';
import { untilFree } from './test-support/ledger-database.ts';
import { newReserve } from './test-support/requests.ts';
import { startLedger, type TestLedger } from './test-support/start-ledger.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(() => ledger.stop());

const reserved = async (accountId: string, unit: number) => {
  const request = newReserve({ accountId, unit });
  await ledger.requests.reserve(request);
  return request;
};

it('a frozen account stays frozen if the ledger is restored to an earlier copy', async () => {
  const accountId = randomUUID();
  await eventually(() => ledger.requests.reserve({ accountId }));
  const copy = await copyDatabase(ledger.database);
  await ledger.emit(identity.accountStatusChanged, { accountId, status: 'frozen', version: 1 });
  const isFrozen = () =>
    expect(ledger.requests.reserve({ accountId })).rejects.toMatchObject({ code: 'account_frozen' });
  await eventually(isFrozen);
  await copy.putBack();
  const { rows } = await ledger.database.admin.query('SELECT status FROM accounts WHERE account_id = $1', [
    accountId,
  ]);
  expect(rows).toEqual([{ status: 'active' }]);
  await eventually(isFrozen);
  await copy.drop();
});

it('a threshold set later is kept if the ledger is restored to an earlier copy', async () => {
  const accountId = randomUUID();
  await eventually(() => ledger.requests.reserve({ accountId }));
  const copy = await copyDatabase(ledger.database);
  const { emit } = ledger.dispatcher;
  await emit(webhookDispatcher.webhookConfigured, { accountId, lowBalanceThreshold: 50, version: 2 });
  await emit(webhookDispatcher.webhookConfigured, { accountId, lowBalanceThreshold: 70, version: 1 });
  const threshold = async () => {
    const { rows } = await ledger.database.admin.query<{ threshold: number | null }>(
      'SELECT low_threshold AS threshold FROM accounts WHERE account_id = $1',
      [accountId],
    );
    return rows[0]?.threshold;
  };
  await eventually(async () => expect(await threshold()).toBe(50));
  await copy.putBack();
  await eventually(async () => expect(await threshold()).toBe(50));
  const { ref } = newReserve();
  await ledger.requests.reserve({ accountId, ref, unit: 60 });
  await ledger.requests.charge(ref);
  const received = () => ledger.caller.received(creditsLedger.balanceRanLow);
  await eventually(() => expect(received()).toMatchObject([{ accountId, available: 39, threshold: 50 }]));
  await emit(webhookDispatcher.webhookRemoved, { accountId, version: 3 });
  await eventually(async () => expect(await threshold()).toBeNull());
  await copy.drop();
});

it('a balance of commits that a restore has lost is not shown any more', async () => {
  const accountId = randomUUID();
  await eventually(() => ledger.requests.reserve({ accountId, unit: 5 }));
  const copy = await copyDatabase(ledger.database);
  const { ref } = await reserved(accountId, 20);
  await ledger.requests.charge(ref);
  const shown = () => readProjection(ledger.identityKit.redis, creditsLedger.balance, [accountId]);
  await eventually(async () => expect(await shown()).toMatchObject({ free: 75 }));
  await copy.putBack();
  expect(await ledger.requests.readBalance(accountId)).toMatchObject({ free: 95 });
  // Another command may have written the restored balance meanwhile.
  await eventually(async () => expect((await shown())?.free).not.toBe(75));
  await reserved(accountId, 1);
  await eventually(async () => expect(await shown()).toMatchObject({ free: 94 }));
  await copy.drop();
});

it('a key may use its cap once more if a restore has lost what it used; when that is booked again, it counts on that day', async () => {
  const [day, next] = [new Date('2027-01-20T10:00:00Z'), new Date('2027-01-21T10:00:00Z')];
  const { reserve, charge } = ledger.database.functions;
  const key = { account_id: randomUUID(), key_id: randomUUID(), daily_cap: 2, unit: 1 };
  const use = async (now: Date) => {
    const item = { ...key, ref: newId(now) };
    const [answer] = await untilFree(reserve)([item], now);
    return { item, outcome: answer?.outcome, left: answer?.cap_left };
  };
  const copy = await copyDatabase(ledger.database);
  const lost = [await use(day), await use(day)];
  expect(lost).toMatchObject([{ outcome: 'reserved' }, { outcome: 'reserved', left: 0 }]);
  expect(await use(day)).toMatchObject({ outcome: 'capped' });
  await copy.putBack();
  const { rows } = await ledger.database.admin.query('SELECT FROM key_days WHERE key_id = $1', [key.key_id]);
  expect(rows).toEqual([]);

  for (const left of [1, 0])
    expect(await eventually(() => use(day))).toMatchObject({ outcome: 'reserved', left });
  expect(await use(day)).toMatchObject({ outcome: 'capped', left: 0 });
  const [first, second] = lost.map(({ item }) => item);
  for (const _ of [1, 2]) expect(await charge(first!, day)).toMatchObject([{ outcome: 'charged' }]);
  expect(await use(day)).toMatchObject({ outcome: 'capped', left: -1 });
  // Booked after midnight, it counts on the next day.
  await charge(second!, next);
  expect(await use(day)).toMatchObject({ outcome: 'capped', left: -1 });
  expect(await use(next)).toMatchObject({ outcome: 'reserved', left: 0 });
  expect(await use(next)).toMatchObject({ outcome: 'capped' });
  await copy.drop();
});
