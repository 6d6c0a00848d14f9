import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readProjection } from '@tds/base/testing';
import { creditsLedger, identity, webhookDispatcher } from '@tds/contracts';
import { copyDatabase, eventually } from '@tds/test-kit';
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
