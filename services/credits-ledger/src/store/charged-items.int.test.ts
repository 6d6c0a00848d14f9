import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@tds/contracts';
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

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const newReservation = (
  given: { unit?: number; items?: number[]; key_id?: string; daily_cap?: number } = {},
) => ({
  account_id: randomUUID(),
  ref: newId(january),
  unit: 1,
  items: upTo(10),
  job_id: randomUUID(),
  ...given,
});

describe('a charge of delivered items', () => {
  it('settles held items, takes the rest from free credits, then purchased ones, then debt, once', async () => {
    const { grant, reserve, charge } = database.functions;
    const reservation = newReservation({ unit: 30, items: [1] });
    await grant(reservation.account_id, 'purchase', 10, january);
    await reserve([reservation], january);
    for (const _ of [1, 2]) {
      expect(await charge({ ...reservation, items: [1, 2, 3, 4] }, january)).toMatchObject([
        { outcome: 'charged', charged: [1, 2, 3, 4], free: 0, purchased: 0, reserved: 0 },
      ]);
    }
    const { rows } = await database.admin.query('SELECT debt FROM accounts WHERE account_id = $1', [
      reservation.account_id,
    ]);
    expect(rows).toEqual([{ debt: 10 }]);
    expect(await charge({ ...reservation, items: [4, 5] }, january)).toMatchObject([{ charged: [4, 5] }]);
  });

  it('charges no released item, and a late reservation does not hold a charged item', async () => {
    const { reserve, charge, releaseItems } = database.functions;
    const reservation = newReservation({ items: [1, 2, 3] });
    await releaseItems(reservation.ref, [2], january);
    expect(await charge({ ...reservation, items: [1, 2] }, january)).toMatchObject([
      { charged: [1], free: 99 },
    ]);
    expect(await reserve([reservation], january)).toMatchObject([{ held: [1], free: 99, reserved: 0 }]);
    await releaseItems(reservation.ref, [3], january);
    expect(await charge({ ...reservation, items: [3] }, january)).toMatchObject([{ charged: [], free: 99 }]);
  });

  it('is rejected for a closed or frozen account, after its held items are charged', async () => {
    const { reserve, charge, setStatus } = database.functions;
    const reservation = newReservation({ items: [1] });
    await reserve([reservation], january);
    await setStatus(reservation.account_id, 'closed', 1);
    expect(await charge(reservation, january)).toMatchObject([{ outcome: 'charged', charged: [1] }]);
    expect(await charge({ ...reservation, items: [1, 2] }, january)).toMatchObject([
      { outcome: 'closed', charged: [1] },
    ]);
    await setStatus(reservation.account_id, 'frozen', 2);
    expect(await charge({ ...reservation, items: [2] }, january)).toMatchObject([
      { outcome: 'frozen', charged: [] },
    ]);
  });

  it('is a conflict under the ref of another account, and changes nothing there', async () => {
    const { reserve, charge, balance } = database.functions;
    const reservation = newReservation();
    await reserve([reservation], january);
    expect(await charge({ ...reservation, account_id: randomUUID() }, january)).toMatchObject([
      { outcome: 'conflict' },
    ]);
    expect(await balance(reservation.account_id, january)).toMatchObject([{ free: 90, reserved: 10 }]);
  });
});

describe('a refund', () => {
  it('returns charged items once, as purchased credits, in a line with the job', async () => {
    const { reserve, settleItems, refund } = database.functions;
    const reservation = newReservation({ unit: 2 });
    expect(await refund(reservation.ref, [1], january)).toMatchObject([{ outcome: 'unknown' }]);
    await reserve([reservation], january);
    await settleItems(reservation.ref, [1, 5], january);
    for (const _ of [1, 2]) {
      expect(await refund(reservation.ref, [5, 6], january)).toMatchObject([
        { outcome: 'granted', charged: [5], purchased: 2, reserved: 16 },
      ]);
    }
    expect(await refund(reservation.ref, [1], january)).toMatchObject([{ charged: [1], purchased: 4 }]);
    const { rows } = await database.admin.query(
      `SELECT kind, items, job_id FROM entries WHERE account_id = $1 AND line IS NOT NULL ORDER BY line`,
      [reservation.account_id],
    );
    const { job_id } = reservation;
    expect(rows.slice(1)).toEqual([
      { kind: 'settle', items: [1, 5], job_id },
      { kind: 'refund', items: [5], job_id },
      { kind: 'refund', items: [1], job_id },
    ]);
  });
});
