import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LedgerDatabase, openLedgerDatabase } from '../test-support/ledger-database.ts';

const january = new Date('2027-01-20T10:00:00Z');

let database: LedgerDatabase;
beforeAll(async () => {
  database = await openLedgerDatabase({ max: 8 });
});
afterAll(async () => {
  expect(await database.findings()).toEqual([]);
  await database.close();
});

const readDebt = async (account: string): Promise<number> => {
  const { rows } = await database.admin.query('SELECT debt FROM accounts WHERE account_id = $1', [account]);
  return rows[0].debt;
};
const newCharge = (unit: number, account_id: string = randomUUID()) => ({
  ...{ account_id, ref: randomUUID(), unit },
});

describe('a charge by reference', () => {
  it('takes free credits, then purchased ones, then debt, once', async () => {
    const { grant, charge } = database.functions;
    const item = newCharge(130);
    await grant(item.account_id, 'purchase', 20, january);
    for (const _ of [1, 2]) {
      expect(await charge(item, january)).toMatchObject([
        { outcome: 'charged', free: 0, purchased: 0, reserved: 0 },
      ]);
      expect(await readDebt(item.account_id)).toBe(10);
    }
  });

  it('happens once for many parallel calls', async () => {
    const { charge } = database.functions;
    const item = newCharge(130);
    await Promise.all(Array.from({ length: 12 }, () => charge(item)));
    expect(await charge(item)).toMatchObject([{ outcome: 'charged', free: 0, reserved: 0 }]);
    expect(await readDebt(item.account_id)).toBe(30);
  });

  it('settles held items under its ref, and charges no released item', async () => {
    const { reserve, release, charge } = database.functions;
    const [open, released] = [newCharge(4), newCharge(4)];
    await reserve([open, released], january);
    await release([released.ref], january);
    expect(await charge(open, january)).toMatchObject([{ outcome: 'charged', free: 96, reserved: 0 }]);
    expect(await charge(released, january)).toMatchObject([{ charged: [], free: 100, reserved: 0 }]);
  });

  it('is rejected for frozen or closed accounts', async () => {
    const { setStatus, charge } = database.functions;
    for (const status of ['frozen', 'closed']) {
      const item = newCharge(200);
      await setStatus(item.account_id, status, 1);
      expect(await charge(item, january)).toMatchObject([{ outcome: status, purchased: 0 }]);
      expect(await readDebt(item.account_id)).toBe(0);
    }
  });

  it('is not limited by the cap of its key', async () => {
    const { charge } = database.functions;
    const item = { ...newCharge(7), key_id: randomUUID(), daily_cap: 1 };
    expect(await charge(item, january)).toMatchObject([{ outcome: 'charged', free: 93 }]);
  });
});

describe('debt', () => {
  it('is paid first by all incoming purchased credits: a purchase, a refund, a release', async () => {
    const { grant, charge, reserve, release, refund } = database.functions;
    const [first, account] = [newCharge(100), randomUUID()];
    Object.assign(first, { account_id: account });
    await grant(account, 'purchase:1', 30, january);
    await reserve([{ account_id: account, ref: `${account} held`, unit: 130 }], january);
    await charge({ ...first, unit: 45 }, january);
    expect(await readDebt(account)).toBe(45);
    expect(await grant(account, 'purchase:2', 5, january)).toMatchObject([{ purchased: 0 }]);
    expect(await release([`${account} held`], january)).toMatchObject([
      { free: 100, purchased: 0, reserved: 0 },
    ]);
    expect(await readDebt(account)).toBe(10);
    expect(await refund(first.ref, [1], january)).toMatchObject([{ outcome: 'granted', purchased: 35 }]);
    expect(await grant(account, 'purchase:2', 5, january)).toMatchObject([
      { outcome: 'granted', purchased: 35 },
    ]);
    expect(await readDebt(account)).toBe(0);
  });

  it('is paid by two releases of one call and the rest of a job', async () => {
    const { grant, charge, reserve, release, settleItems, releaseItems } = database.functions;
    const account_id = randomUUID();
    await charge(newCharge(100, account_id), january);
    await grant(account_id, 'purchase:1', 40, january);
    const held = [newCharge(10, account_id), newCharge(10, account_id)];
    const job = { account_id, ref: randomUUID(), unit: 5, items: [1, 2, 3, 4] };
    await reserve(held, january);
    await reserve([job], january);
    await charge(newCharge(25, account_id), january);
    expect(await readDebt(account_id)).toBe(25);
    await release(
      held.map(({ ref }) => ref),
      january,
    );
    expect(await readDebt(account_id)).toBe(5);
    await settleItems(job.ref, [1], january);
    expect(await releaseItems(job.ref, [2, 3, 4], january)).toMatchObject([{ purchased: 10, reserved: 0 }]);
    expect(await readDebt(account_id)).toBe(0);
  });

  it('is not paid by free credits, which can be spent beside it', async () => {
    const { charge, reserve } = database.functions;
    const account_id = randomUUID();
    await charge(newCharge(120, account_id), january);
    const february = new Date('2027-02-01T00:00:00Z');
    expect(await reserve([newCharge(10, account_id)], february)).toMatchObject([
      { outcome: 'reserved', free: 90 },
    ]);
    expect(await readDebt(account_id)).toBe(20);
  });

  it('of a customer is explained by the lines of the ledger', async () => {
    const { charge, grant } = database.functions;
    const account_id = randomUUID();
    await charge(newCharge(120, account_id), january);
    await grant(account_id, 'purchase', 50, january);
    const { rows } = await database.admin.query(
      `SELECT kind, free_delta + purchased_delta + reserved_delta AS unit, free_after + purchased_after AS after
       FROM entries WHERE account_id = $1 AND line IS NOT NULL ORDER BY line`,
      [account_id],
    );
    expect(rows).toEqual([
      { kind: 'monthly_grant', unit: 100, after: 100 },
      { kind: 'debt_taken', unit: 20, after: 120 },
      { kind: 'charge', unit: -120, after: 0 },
      { kind: 'grant', unit: 50, after: 50 },
      { kind: 'debt_paid', unit: -20, after: 30 },
    ]);
  });
});

describe('a block taken back', () => {
  it('takes purchased credits once; held or spent ones become debt; free ones stay', async () => {
    const { buy, reserve, correct, releaseItems } = database.functions;
    const account_id = randomUUID();
    const [block, held] = [`purchase:${account_id}`, { ...newCharge(60, account_id), items: [1, 2] }];
    await buy(account_id, block, 50, january);
    await reserve([held], january);
    for (const _ of [1, 2]) {
      const answer = { outcome: 'corrected', free: 0, purchased: 0, reserved: 120 };
      expect(await correct(account_id, block, 0, january)).toMatchObject([answer]);
      expect(await readDebt(account_id)).toBe(20);
    }
    expect(await releaseItems(held.ref, [1, 2], january)).toMatchObject([{ free: 100, purchased: 0 }]);
    expect(await readDebt(account_id)).toBe(0);
  });

  it('also applies to frozen or closed accounts', async () => {
    const { buy, charge, correct, setStatus } = database.functions;
    for (const status of ['frozen', 'closed']) {
      const account_id = randomUUID();
      const block = `purchase:${account_id}`;
      await buy(account_id, block, 30, january);
      await charge(newCharge(120, account_id), january);
      await setStatus(account_id, status, 1);
      expect(await correct(account_id, block, 0, january)).toMatchObject([
        { outcome: 'corrected', purchased: 0 },
      ]);
      expect(await readDebt(account_id)).toBe(20);
    }
  });
});
