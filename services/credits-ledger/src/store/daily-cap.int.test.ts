import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LedgerDatabase, openLedgerDatabase, untilFree } from '../test-support/ledger-database.ts';

const PARALLEL = 100;
const lastMoment = new Date('2027-01-31T23:59:59.999Z');
const midnight = new Date('2027-02-01T00:00:00.000Z');

let database: LedgerDatabase;
beforeAll(async () => {
  database = await openLedgerDatabase({ max: 16 });
});
afterAll(async () => {
  expect(await database.findings()).toEqual([]);
  await database.close();
});

const newKey = (daily_cap: number | null) => ({
  account_id: randomUUID(),
  key_id: randomUUID(),
  daily_cap,
  unit: 1,
});
type Key = ReturnType<typeof newKey>;

type ReserveFields = { unit?: number; daily_cap?: number | null };
/** A key that replaced another by rotation. */
const newSuccessor = (key: Key & { limit_id?: string }) => ({
  ...key,
  key_id: randomUUID(),
  limit_id: key.limit_id ?? key.key_id,
});

const item = (key: Key, given: ReserveFields = {}) => ({
  ...key,
  ref: randomUUID(),
  ...given,
});
const reserve = async (key: Key, now: Date, given: ReserveFields = {}) => {
  const wanted = item(key, given);
  const [answer] = await untilFree(database.functions.reserve)([wanted], now);
  return { ref: wanted.ref, outcome: answer!.outcome };
};
const usedOn = async ({ key_id }: Key): Promise<Record<string, number>> => {
  const { rows } = await database.admin.query(
    'SELECT day::text, credits_used FROM key_days WHERE key_id = $1 ORDER BY day',
    [key_id],
  );
  return Object.fromEntries(rows.map(({ day, credits_used }) => [day, credits_used]));
};
const held = (answers: readonly { outcome: string }[]) =>
  answers.filter(({ outcome }) => outcome === 'reserved').length;

describe('the daily cap of a key', () => {
  it.each([
    { cap: 40, unit: 1, fit: 40 },
    { cap: 41, unit: 2, fit: 20 },
    { cap: 1, unit: 1, fit: 1 },
    { cap: 2, unit: 3, fit: 0 },
    { cap: 1_000_000, unit: 1, fit: 100 },
  ])('of $cap allows exactly $fit of 100 parallel reservations of $unit', async ({ cap, unit, fit }) => {
    const key = newKey(cap);
    await database.functions.grant(key.account_id, 'purchase', 200, lastMoment);
    const answers = await Promise.all(
      Array.from({ length: PARALLEL }, () => reserve(key, lastMoment, { unit })),
    );
    expect(held(answers)).toBe(fit);
    expect(answers.filter(({ outcome }) => outcome === 'capped')).toHaveLength(PARALLEL - fit);
  });

  it('holds on both sides of midnight for racing reservations; the new day starts at 00:00:00Z', async () => {
    const key = newKey(30);
    const answers = await Promise.all(
      Array.from({ length: PARALLEL }, (_, index) => reserve(key, index % 2 ? lastMoment : midnight)),
    );
    expect(held(answers)).toBe(60);
    expect(await usedOn(key)).toEqual({ '2027-01-31': 30, '2027-02-01': 30 });
    expect((await reserve(key, lastMoment)).outcome).toBe('capped');
    expect((await reserve(key, midnight)).outcome).toBe('capped');
  });

  it('counts reserved and settled items; a release returns them to their day', async () => {
    const key = newKey(3);
    const refs = [];
    for (const _ of [1, 2, 3]) refs.push((await reserve(key, lastMoment)).ref);
    await database.functions.settle([refs[0]!], midnight);
    await database.functions.release([refs[1]!], midnight);
    expect(await usedOn(key)).toEqual({ '2027-01-31': 2, '2027-02-01': 0 });
    expect((await reserve(key, lastMoment)).outcome).toBe('reserved');
    expect((await reserve(key, lastMoment)).outcome).toBe('capped');
    expect(held(await Promise.all([1, 2, 3, 4].map(() => reserve(key, midnight))))).toBe(3);
  });

  it('is exact within one batch, and while releases race with reservations', async () => {
    const key = newKey(10);
    const batch = Array.from({ length: 20 }, () => item(key));
    const first = await database.functions.reserve(batch, midnight);
    expect(first.map(({ outcome }) => outcome)).toEqual([
      ...Array(10).fill('reserved'),
      ...Array(10).fill('capped'),
    ]);
    const racing = await Promise.all([
      ...batch.slice(0, 10).map(({ ref }) => database.functions.release([ref], midnight).then(() => null)),
      ...Array.from({ length: 50 }, () => reserve(key, midnight)),
    ]);
    const now = held(racing.filter((answer) => answer !== null));
    expect(now).toBeLessThanOrEqual(10);
    expect(await usedOn(key)).toEqual({ '2027-02-01': now });
  });

  it('applies to each key separately, and follows changes by the customer', async () => {
    const key = newKey(1);
    const sibling = { ...key, key_id: randomUUID() };
    expect((await reserve(key, midnight)).outcome).toBe('reserved');
    expect((await reserve(key, midnight)).outcome).toBe('capped');
    expect((await reserve(sibling, midnight)).outcome).toBe('reserved');
    expect((await reserve(key, midnight, { daily_cap: 2 })).outcome).toBe('reserved');
    expect((await reserve(key, midnight, { daily_cap: 1 })).outcome).toBe('capped');
    expect((await reserve(key, midnight, { daily_cap: null })).outcome).toBe('reserved');
  });

  it('repeats an earlier reservation even when the cap is reached', async () => {
    const key = newKey(1);
    const wanted = item(key);
    for (const _ of [1, 2]) {
      expect(await database.functions.reserve([wanted], midnight)).toMatchObject([{ outcome: 'reserved' }]);
    }
  });

  it('is reported before a short balance, which a purchase would not solve, and after a frozen account', async () => {
    const key = newKey(1);
    await reserve(key, midnight);
    expect((await reserve(key, midnight, { unit: 500 })).outcome).toBe('capped');
    expect((await reserve(key, midnight, { unit: 500, daily_cap: 600 })).outcome).toBe('insufficient');
    await database.functions.setStatus(key.account_id, 'frozen', 1);
    expect((await reserve(key, midnight)).outcome).toBe('frozen');
  });
});

describe('a rotation', () => {
  it('inherits the day: all keys of the chain together stay within the cap, also in parallel', async () => {
    const first = newKey(40);
    const second = newSuccessor(first);
    const chain = [first, second, newSuccessor(second)];
    const answers = await Promise.all(
      Array.from({ length: PARALLEL }, (_, index) => reserve(chain[index % 3]!, lastMoment)),
    );
    expect(held(answers)).toBe(40);
    const used = await Promise.all(chain.map(usedOn));
    expect(used.reduce((sum, days) => sum + (days['2027-01-31'] ?? 0), 0)).toBe(40);
    expect((await reserve(chain[2]!, midnight)).outcome).toBe('reserved');
  });

  it('inherits it within one call; any key of the chain may use returned credits', async () => {
    const first = newKey(3);
    const second = newSuccessor(first);
    const wanted = [first, second, first, second, first].map((key) => item(key));
    const answers = await database.functions.reserve(wanted, lastMoment);
    expect(answers.map(({ outcome }) => outcome)).toEqual([
      ...Array<string>(3).fill('reserved'),
      ...Array<string>(2).fill('capped'),
    ]);
    await database.functions.release([wanted[1]!.ref], lastMoment);
    expect((await reserve(first, lastMoment)).outcome).toBe('reserved');
    expect((await reserve(second, lastMoment)).outcome).toBe('capped');
  });

  it('shares nothing with other keys of the account', async () => {
    const first = newKey(1);
    const stranger = { ...newKey(1), account_id: first.account_id };
    await reserve(newSuccessor(first), lastMoment);
    expect((await reserve(stranger, lastMoment)).outcome).toBe('reserved');
    expect((await reserve(first, lastMoment)).outcome).toBe('capped');
  });
});
