import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@tds/contracts';
import { type LedgerDatabase, openLedgerDatabase } from '../test-support/ledger-database.ts';

const january = new Date('2027-01-20T10:00:00Z');
const february = new Date('2027-02-01T00:00:00Z');

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

describe('a reservation', () => {
  it('holds its items, and charges each once despite repeats and overlaps', async () => {
    const { reserve, settleItems } = database.functions;
    const reservation = newReservation({ unit: 3 });
    for (const _ of [1, 2]) {
      expect(await reserve([reservation], january)).toMatchObject([
        { outcome: 'reserved', free: 70, reserved: 30, held: upTo(10), lacked: null },
      ]);
    }
    expect(await settleItems(reservation.ref, [2, 7], january)).toMatchObject([
      { outcome: 'settled', reserved: 24, charged: [2, 7], held: [1, 3, 4, 5, 6, 8, 9, 10], version: 3 },
    ]);
    expect(await settleItems(reservation.ref, [7, 1, 2], january)).toMatchObject([
      { reserved: 21, charged: [7, 1, 2], version: 4 },
    ]);
    expect(await settleItems(reservation.ref, [7], january)).toMatchObject([{ reserved: 21, version: 4 }]);
    expect(await reserve([reservation], january)).toMatchObject([
      { outcome: 'reserved', held: upTo(10), version: 4 },
    ]);
  });

  it('holds as many items as the balance allows, in the requested order, and returns why', async () => {
    const { grant, reserve } = database.functions;
    const reservation = newReservation({ unit: 30, items: [5, 2, 9, 7] });
    for (const _ of [1, 2]) {
      expect(await reserve([reservation], january)).toMatchObject([
        { outcome: 'reserved', free: 10, reserved: 90, held: [5, 2, 9], lacked: 'insufficient_credits' },
      ]);
      // Later credits serve another ref.
      await grant(reservation.account_id, 'purchase', 90, january);
    }
  });

  it('holds as many as the cap of its key allows, and returns how much that leaves', async () => {
    const { reserve } = database.functions;
    const reservation = newReservation({ unit: 2, key_id: randomUUID(), daily_cap: 7 });
    expect(await reserve([reservation], january)).toMatchObject([
      { outcome: 'reserved', held: [1, 2, 3], lacked: 'daily_credit_cap', cap_left: 1 },
    ]);
    const next = { ...reservation, ref: newId(january) };
    expect(await reserve([next], january)).toMatchObject([
      { outcome: 'capped', held: [], lacked: 'daily_credit_cap', cap_left: 1 },
    ]);
    expect(await reserve([{ ...next, daily_cap: 5 }], january)).toMatchObject([
      { outcome: 'capped', cap_left: -1 },
    ]);
  });

  it('leaves nothing if no part fits: the same ref may be tried again', async () => {
    const { grant, reserve } = database.functions;
    const reservation = newReservation({ unit: 101, items: [1] });
    expect(await reserve([reservation], january)).toMatchObject([
      { outcome: 'insufficient', held: [], lacked: 'insufficient_credits', reserved: 0 },
    ]);
    await grant(reservation.account_id, 'purchase', 1, january);
    expect(await reserve([reservation], january)).toMatchObject([
      { outcome: 'reserved', held: [1], reserved: 101 },
    ]);
  });

  it('never charges a released item, nor releases a charged one', async () => {
    const { reserve, settleItems, releaseItems } = database.functions;
    const reservation = newReservation();
    await reserve([reservation], january);
    await settleItems(reservation.ref, [1, 2], january);
    expect(await releaseItems(reservation.ref, [2, 3, 4], january)).toMatchObject([
      { outcome: 'settled', free: 92, reserved: 6, charged: [2], held: [5, 6, 7, 8, 9, 10] },
    ]);
    expect(await settleItems(reservation.ref, [3, 5], january)).toMatchObject([
      { charged: [5], free: 92, reserved: 5 },
    ]);
    expect(await reserve([reservation], january)).toMatchObject([{ held: [1, 2, 5, 6, 7, 8, 9, 10] }]);
    expect(await releaseItems(reservation.ref, upTo(512), january)).toMatchObject([
      { free: 97, reserved: 0, held: [] },
    ]);
    expect(await settleItems(reservation.ref, [6], january)).toMatchObject([
      { outcome: 'released', charged: [] },
    ]);
  });

  it('does not hold items that were released before, and holds the rest', async () => {
    const { reserve, settleItems, releaseItems } = database.functions;
    const reservation = newReservation({ items: [1, 2, 3] });
    expect(await settleItems(reservation.ref, [1], january)).toMatchObject([
      { outcome: 'unknown', charged: [] },
    ]);
    expect(await releaseItems(reservation.ref, [2], january)).toMatchObject([{ outcome: 'unknown' }]);
    expect(await settleItems(reservation.ref, [2], january)).toMatchObject([
      { outcome: 'released', charged: [] },
    ]);
    await releaseItems(reservation.ref, [9], january);
    expect(await reserve([reservation], january)).toMatchObject([
      { outcome: 'reserved', held: [1, 3], reserved: 2, lacked: null },
    ]);
    expect(await settleItems(reservation.ref, [1, 2], january)).toMatchObject([{ charged: [1], held: [3] }]);
    const late = newReservation({ items: [4] });
    await releaseItems(late.ref, [4], january);
    expect(await reserve([late], january)).toMatchObject([{ outcome: 'released', held: [], free: 100 }]);
  });

  it('spends free credits first, whatever is released before; purchased ones come back in any month', async () => {
    const { grant, reserve, settleItems, releaseItems } = database.functions;
    const reservation = newReservation({ unit: 10, items: upTo(12) });
    await grant(reservation.account_id, 'purchase', 50, january);
    expect(await reserve([reservation], january)).toMatchObject([{ free: 0, purchased: 30, reserved: 120 }]);
    expect(await releaseItems(reservation.ref, [1, 2, 3], january)).toMatchObject([
      { free: 10, purchased: 50 },
    ]);
    await settleItems(reservation.ref, [4, 5, 6], january);
    const rest = [7, 8, 9, 10, 11, 12];
    expect(await releaseItems(reservation.ref, rest, february)).toMatchObject([
      { free: 100, purchased: 50, reserved: 0 },
    ]);
  });

  it('pays debt with each released item', async () => {
    const { buy, correct, reserve, releaseItems } = database.functions;
    const reservation = newReservation({ unit: 50, items: [1, 2, 3] });
    const block = `purchase:${reservation.account_id}`;
    await buy(reservation.account_id, block, 100, january);
    await reserve([reservation], january);
    await correct(reservation.account_id, block, 0, january);
    expect(await releaseItems(reservation.ref, [1], january)).toMatchObject([
      { free: 0, purchased: 0, reserved: 100 },
    ]);
    expect(await releaseItems(reservation.ref, [2], january)).toMatchObject([
      { free: 50, purchased: 0, reserved: 50 },
    ]);
  });

  it('is a conflict under the ref of another account or price', async () => {
    const { reserve } = database.functions;
    const reservation = newReservation();
    await reserve([reservation], january);
    for (const other of [{ unit: 2 }, { account_id: randomUUID() }]) {
      expect(await reserve([{ ...reservation, ...other }], january)).toMatchObject([{ outcome: 'conflict' }]);
    }
  });
});

describe('concurrent calls', () => {
  it('charge or release each item once despite overlaps', async () => {
    const { grant, reserve, settleItems, releaseItems, charge, balance } = database.functions;
    const reservation = { ...newReservation({ items: upTo(400) }), ref: newId() };
    await grant(reservation.account_id, 'purchase', 300);
    await reserve([reservation]);
    const some = () => [...new Set(Array.from({ length: 5 }, () => randomInt(1, 401)))];
    await Promise.all(
      Array.from({ length: 160 }, (_, index) => {
        if (index % 8 === 0) return releaseItems(reservation.ref, some());
        return index % 8 === 1
          ? charge({ ...reservation, items: some() })
          : settleItems(reservation.ref, some());
      }),
    );
    const [after] = await releaseItems(reservation.ref, upTo(400));
    const { rows } = await database.admin.query(
      `SELECT kind, count(*)::int AS items, count(DISTINCT item)::int AS different
       FROM entries, unnest(items) AS item WHERE account_id = $1 GROUP BY kind ORDER BY kind`,
      [reservation.account_id],
    );
    expect(rows.reduce((sum, { items }) => sum + items, 0)).toBe(400);
    for (const { items, different } of rows) expect(items).toBe(different);
    const [left] = await balance(reservation.account_id);
    expect(left?.reserved).toBe(0);
    expect(Number(left?.free) + Number(left?.purchased)).toBe(400 - (after?.charged?.length ?? 0));
  });

  it('of reserve and release leave nothing held, whichever is first', async () => {
    const { reserve, release, balance } = database.functions;
    const account_id = randomUUID();
    const reservations = Array.from({ length: 60 }, () => ({
      ...newReservation({ items: [1] }),
      ref: newId(),
      account_id,
    }));
    await Promise.all(
      reservations.flatMap((reservation) => [reserve([reservation]), release([reservation.ref])]),
    );
    expect(await balance(account_id)).toMatchObject([{ free: 100, reserved: 0 }]);
  });
});
