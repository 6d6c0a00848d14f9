import { describe, expect, it } from 'vitest';
import { createColdPool } from './cold-pool.ts';

/** One row for each day, as the database keeps them. */
const newRows = (most: number) => {
  const used = new Map<string, number>();
  let takes = 0;
  const counts = {
    take: async (day: string, wanted: number) => {
      takes += 1;
      await new Promise(setImmediate);
      const before = used.get(day) ?? 0;
      const taken = Math.min(wanted, most - before);
      used.set(day, before + taken);
      return taken;
    },
    giveBack: async (day: string, permits: number) => void used.set(day, (used.get(day) ?? 0) - permits),
  };
  let now = 0;
  const open = (blockSize: number) => createColdPool({ counts, blockSize, monotonicMs: () => now });
  const pass = (ms: number) => {
    now += ms;
  };
  return { open, used, takes: () => takes, pass };
};
const MONDAY = '2026-11-16';
const TUESDAY = '2026-11-17';
const takeMany = async (count: number, take: (index: number) => Promise<boolean>) =>
  (await Promise.all(Array.from({ length: count }, (_, index) => take(index)))).filter(Boolean).length;

describe('a shared pool', () => {
  it('gives out exactly its permits over several processes, in blocks', async () => {
    const rows = newRows(100);
    const processes = [rows.open(10), rows.open(10), rows.open(10), rows.open(10)];
    expect(await takeMany(1_000, async (index) => (await processes[index % 4]?.take(MONDAY)) ?? false)).toBe(
      100,
    );
    expect(rows.takes()).toBeLessThanOrEqual(10 + 4);
  });

  it('is not asked again for a second once it was empty, and then gives out what others returned', async () => {
    const rows = newRows(10);
    const [one, other] = [rows.open(10), rows.open(10)];
    expect(await one.take(MONDAY)).toBe(true);
    expect(await other.take(MONDAY)).toBe(false);
    await one.close();
    expect(rows.used.get(MONDAY)).toBe(1);
    expect(await other.take(MONDAY)).toBe(false);
    expect(rows.takes()).toBe(2);
    rows.pass(1_000);
    expect(await takeMany(20, () => other.take(MONDAY))).toBe(9);
  });

  it('is full again at midnight, and permits of yesterday are worth nothing', async () => {
    const rows = newRows(10);
    const pool = rows.open(10);
    expect(await takeMany(20, () => pool.take(MONDAY))).toBe(10);
    expect(await takeMany(8, () => pool.take(TUESDAY))).toBe(8);
    await pool.giveBack(MONDAY, 1);
    expect(await pool.take(MONDAY)).toBe(false);
    expect(await takeMany(20, () => pool.take(TUESDAY))).toBe(2);
  });

  it('takes back a permit that was not used', async () => {
    const rows = newRows(1);
    const pool = rows.open(1);
    expect(await pool.take(MONDAY)).toBe(true);
    await pool.giveBack(MONDAY, 1);
    expect([await pool.take(MONDAY), await pool.take(MONDAY)]).toEqual([true, false]);
  });

  it('leaves to others, at once, what a process took and did not use beyond a block', async () => {
    const rows = newRows(30);
    const [one, other] = [rows.open(3), rows.open(3)];
    expect(await takeMany(30, () => one.take(MONDAY))).toBe(30);
    expect(await one.take(MONDAY)).toBe(false);
    await one.giveBack(MONDAY, 20);
    expect(rows.used.get(MONDAY)).toBe(30 - 18);
    expect(await takeMany(20, () => other.take(MONDAY))).toBe(18);
    expect(await takeMany(20, () => one.take(MONDAY))).toBe(2);
    await one.giveBack(MONDAY, 9);
    rows.pass(1_000);
    expect(await takeMany(20, () => one.take(MONDAY))).toBe(9);
  });

  it('admits nobody while the counts cannot be read', async () => {
    const counts = { take: async () => Promise.reject(new Error('away')), giveBack: async () => {} };
    const pool = createColdPool({ counts, blockSize: 1, monotonicMs: () => 0 });
    await expect(pool.take(MONDAY)).rejects.toThrow('away');
    await expect(pool.take(MONDAY)).rejects.toThrow('away');
  });
});
