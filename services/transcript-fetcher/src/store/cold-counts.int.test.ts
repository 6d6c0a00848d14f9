import { eventually } from '@tds/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createColdPool } from '../application/cold-pool.ts';
import { openTables, type Tables } from '../test-support/tables.ts';
import { poolCounts } from './cold-counts.ts';

const DAY = '2026-11-20';
const NEXT_DAY = '2026-11-21';
let tables: Tables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables?.stop());

let pools = 0;
/** A pool of its own, and what its rows say. */
const freshPool = (permitsPerDay: number) => {
  const name = `pool ${++pools}`;
  const counts = poolCounts(tables.db, name, permitsPerDay);
  const scope = `pool:${name}`;
  const taken = async () => {
    const rows = await tables.query<{ day: string; count: number }>(
      'SELECT day::text, count FROM cold_counts WHERE scope = $1',
      [scope],
    );
    return Object.fromEntries(rows.map(({ day, count }) => [day, count]));
  };
  return { counts, scope, taken };
};

describe('permits of a shared pool', () => {
  it('are taken in blocks until there are none; the last block is what is left', async () => {
    const { counts, taken } = freshPool(25);
    expect([await counts.take(DAY, 10), await counts.take(DAY, 10)]).toEqual([10, 10]);
    expect([await counts.take(DAY, 10), await counts.take(DAY, 10)]).toEqual([5, 0]);
    expect(await taken()).toEqual({ [DAY]: 25 });
  });

  it('are never more than there are, however many processes take them at once', async () => {
    const { counts, scope, taken } = freshPool(20);
    await counts.take(DAY, 5);
    const taking = await tables.pool.connect();
    await taking.query('BEGIN');
    await taking.query('SELECT take_cold_block($1, $2, 8, 20)', [scope, DAY]);
    const others = [counts.take(DAY, 5), counts.take(DAY, 5)];
    await eventually(async () => expect(await tables.waiting()).toBe(2));
    await taking.query('COMMIT');
    taking.release();
    expect((await Promise.all(others)).toSorted()).toEqual([2, 5]);
    expect(await taken()).toEqual({ [DAY]: 20 });
  });

  it('are those of their own UTC day', async () => {
    const { counts, taken } = freshPool(10);
    expect([await counts.take(DAY, 10), await counts.take(NEXT_DAY, 4)]).toEqual([10, 4]);
    expect(await taken()).toEqual({ [DAY]: 10, [NEXT_DAY]: 4 });
  });

  it('can be taken again once they are given back, by anybody', async () => {
    const { counts } = freshPool(10);
    await counts.take(DAY, 10);
    await counts.giveBack(DAY, 3);
    expect([await counts.take(DAY, 10), await counts.take(DAY, 10)]).toEqual([3, 0]);
  });

  it('are none where the pool was made smaller than what is taken', async () => {
    const { counts, taken } = freshPool(-1);
    expect(await counts.take(DAY, 5)).toBe(0);
    expect(await taken()).toEqual({ [DAY]: 0 });
  });

  it('that a process has left go back to the day on which it took them, when it stops', async () => {
    const { counts, taken } = freshPool(20);
    const open = () => createColdPool({ counts, blockSize: 8, monotonicMs: () => 0 });
    const [one, other] = [open(), open()];
    for (const pool of [one, one, other]) expect(await pool.take(DAY)).toBe(true);
    expect(await other.take(NEXT_DAY)).toBe(true);
    await Promise.all([one.close(), other.close()]);
    // The rest of a block that was not used before midnight is worth nothing any more.
    expect(await taken()).toEqual({ [DAY]: 2 + 8, [NEXT_DAY]: 1 });
    expect(await one.take(DAY)).toBe(false);
  });
});
