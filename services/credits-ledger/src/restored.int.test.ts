import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { identity } from '@tds/contracts';
import { copyDatabase, eventually } from '@tds/test-kit';
import { startLedger, type TestLedger } from './test-support/start-ledger.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(() => ledger.stop());

it('an account that was frozen stays so when the ledger is put back to a copy from before', async () => {
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
