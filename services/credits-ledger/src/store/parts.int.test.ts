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
const newRound = (given: { unit?: number; parts?: number[]; key_id?: string; daily_cap?: number } = {}) => ({
  account_id: randomUUID(),
  ref: newId(january),
  unit: 1,
  parts: upTo(10),
  job_id: randomUUID(),
  ...given,
});

describe('a reservation', () => {
  it('holds its parts, and charges each once despite repeats and overlaps', async () => {
    const { reserve, settleParts } = database.functions;
    const round = newRound({ unit: 3 });
    for (const _ of [1, 2]) {
      expect(await reserve([round], january)).toMatchObject([
        { outcome: 'reserved', free: 70, reserved: 30, held: upTo(10), lacked: null },
      ]);
    }
    expect(await settleParts(round.ref, [2, 7], january)).toMatchObject([
      { outcome: 'settled', reserved: 24, charged: [2, 7], held: [1, 3, 4, 5, 6, 8, 9, 10], version: 3 },
    ]);
    expect(await settleParts(round.ref, [7, 1, 2], january)).toMatchObject([
      { reserved: 21, charged: [7, 1, 2], version: 4 },
    ]);
    expect(await settleParts(round.ref, [7], january)).toMatchObject([{ reserved: 21, version: 4 }]);
    expect(await reserve([round], january)).toMatchObject([
      { outcome: 'reserved', held: upTo(10), version: 4 },
    ]);
  });

  it('holds as many parts as the balance allows, in the requested order, and returns why', async () => {
    const { grant, reserve } = database.functions;
    const round = newRound({ unit: 30, parts: [5, 2, 9, 7] });
    for (const _ of [1, 2]) {
      expect(await reserve([round], january)).toMatchObject([
        { outcome: 'reserved', free: 10, reserved: 90, held: [5, 2, 9], lacked: 'insufficient_credits' },
      ]);
      // Later credits serve another ref.
      await grant(round.account_id, 'purchase', 90, january);
    }
  });

  it('holds as many as the cap of its key allows, and returns how much that leaves', async () => {
    const { reserve } = database.functions;
    const round = newRound({ unit: 2, key_id: randomUUID(), daily_cap: 7 });
    expect(await reserve([round], january)).toMatchObject([
      { outcome: 'reserved', held: [1, 2, 3], lacked: 'daily_credit_cap', cap_left: 1 },
    ]);
    const next = { ...round, ref: newId(january) };
    expect(await reserve([next], january)).toMatchObject([
      { outcome: 'capped', held: [], lacked: 'daily_credit_cap', cap_left: 1 },
    ]);
    expect(await reserve([{ ...next, daily_cap: 5 }], january)).toMatchObject([
      { outcome: 'capped', cap_left: -1 },
    ]);
  });

  it('leaves nothing if no part fits: the same ref may be tried again', async () => {
    const { grant, reserve } = database.functions;
    const round = newRound({ unit: 101, parts: [1] });
    expect(await reserve([round], january)).toMatchObject([
      { outcome: 'insufficient', held: [], lacked: 'insufficient_credits', reserved: 0 },
    ]);
    await grant(round.account_id, 'purchase', 1, january);
    expect(await reserve([round], january)).toMatchObject([
      { outcome: 'reserved', held: [1], reserved: 101 },
    ]);
  });

  it('never charges a released part, nor releases a charged one', async () => {
    const { reserve, settleParts, releaseParts } = database.functions;
    const round = newRound();
    await reserve([round], january);
    await settleParts(round.ref, [1, 2], january);
    expect(await releaseParts(round.ref, [2, 3, 4], january)).toMatchObject([
      { outcome: 'settled', free: 92, reserved: 6, charged: [2], held: [5, 6, 7, 8, 9, 10] },
    ]);
    expect(await settleParts(round.ref, [3, 5], january)).toMatchObject([
      { charged: [5], free: 92, reserved: 5 },
    ]);
    expect(await reserve([round], january)).toMatchObject([{ held: [1, 2, 5, 6, 7, 8, 9, 10] }]);
    expect(await releaseParts(round.ref, upTo(512), january)).toMatchObject([
      { free: 97, reserved: 0, held: [] },
    ]);
    expect(await settleParts(round.ref, [6], january)).toMatchObject([{ outcome: 'released', charged: [] }]);
  });

  it('does not hold parts that were released before, and holds the rest', async () => {
    const { reserve, settleParts, releaseParts } = database.functions;
    const round = newRound({ parts: [1, 2, 3] });
    expect(await settleParts(round.ref, [1], january)).toMatchObject([{ outcome: 'unknown', charged: [] }]);
    expect(await releaseParts(round.ref, [2], january)).toMatchObject([{ outcome: 'unknown' }]);
    expect(await settleParts(round.ref, [2], january)).toMatchObject([{ outcome: 'released', charged: [] }]);
    await releaseParts(round.ref, [9], january);
    expect(await reserve([round], january)).toMatchObject([
      { outcome: 'reserved', held: [1, 3], reserved: 2, lacked: null },
    ]);
    expect(await settleParts(round.ref, [1, 2], january)).toMatchObject([{ charged: [1], held: [3] }]);
    const late = newRound({ parts: [4] });
    await releaseParts(late.ref, [4], january);
    expect(await reserve([late], january)).toMatchObject([{ outcome: 'released', held: [], free: 100 }]);
  });

  it('spends free credits first, whatever is released before; purchased ones come back in any month', async () => {
    const { grant, reserve, settleParts, releaseParts } = database.functions;
    const round = newRound({ unit: 10, parts: upTo(12) });
    await grant(round.account_id, 'purchase', 50, january);
    expect(await reserve([round], january)).toMatchObject([{ free: 0, purchased: 30, reserved: 120 }]);
    expect(await releaseParts(round.ref, [1, 2, 3], january)).toMatchObject([{ free: 10, purchased: 50 }]);
    await settleParts(round.ref, [4, 5, 6], january);
    const rest = [7, 8, 9, 10, 11, 12];
    expect(await releaseParts(round.ref, rest, february)).toMatchObject([
      { free: 100, purchased: 50, reserved: 0 },
    ]);
  });

  it('pays debt with each released part', async () => {
    const { buy, correct, reserve, releaseParts } = database.functions;
    const round = newRound({ unit: 50, parts: [1, 2, 3] });
    const block = `purchase:${round.account_id}`;
    await buy(round.account_id, block, 100, january);
    await reserve([round], january);
    await correct(round.account_id, block, 0, january);
    expect(await releaseParts(round.ref, [1], january)).toMatchObject([
      { free: 0, purchased: 0, reserved: 100 },
    ]);
    expect(await releaseParts(round.ref, [2], january)).toMatchObject([
      { free: 50, purchased: 0, reserved: 50 },
    ]);
  });

  it('is a conflict under the ref of another account or price', async () => {
    const { reserve } = database.functions;
    const round = newRound();
    await reserve([round], january);
    for (const other of [{ unit: 2 }, { account_id: randomUUID() }]) {
      expect(await reserve([{ ...round, ...other }], january)).toMatchObject([{ outcome: 'conflict' }]);
    }
  });
});

describe('concurrent calls', () => {
  it('charge or release each part once despite overlaps', async () => {
    const { grant, reserve, settleParts, releaseParts, charge, balance } = database.functions;
    const round = { ...newRound({ parts: upTo(400) }), ref: newId() };
    await grant(round.account_id, 'purchase', 300);
    await reserve([round]);
    const some = () => [...new Set(Array.from({ length: 5 }, () => randomInt(1, 401)))];
    await Promise.all(
      Array.from({ length: 160 }, (_, index) => {
        if (index % 8 === 0) return releaseParts(round.ref, some());
        return index % 8 === 1 ? charge({ ...round, parts: some() }) : settleParts(round.ref, some());
      }),
    );
    const [after] = await releaseParts(round.ref, upTo(400));
    const { rows } = await database.admin.query(
      `SELECT kind, count(*)::int AS parts, count(DISTINCT part)::int AS different
       FROM entries, unnest(parts) AS part WHERE account_id = $1 GROUP BY kind ORDER BY kind`,
      [round.account_id],
    );
    expect(rows.reduce((sum, { parts }) => sum + parts, 0)).toBe(400);
    for (const { parts, different } of rows) expect(parts).toBe(different);
    const [left] = await balance(round.account_id);
    expect(left?.reserved).toBe(0);
    expect(Number(left?.free) + Number(left?.purchased)).toBe(400 - (after?.charged?.length ?? 0));
  });

  it('of reserve and release leave nothing held, whichever is first', async () => {
    const { reserve, release, balance } = database.functions;
    const account_id = randomUUID();
    const rounds = Array.from({ length: 60 }, () => ({
      ...newRound({ parts: [1] }),
      ref: newId(),
      account_id,
    }));
    await Promise.all(rounds.flatMap((round) => [reserve([round]), release([round.ref])]));
    expect(await balance(account_id)).toMatchObject([{ free: 100, reserved: 0 }]);
  });
});
