import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { type LedgerDatabase, openLedgerDatabase } from '../testing/ledger-database.ts';
import { LedgerModel } from '../testing/ledger-model.ts';

jest.setTimeout(60_000); // real servers on a machine that may be busy

const ACCOUNTS = 4;
const REFS = 30;

/** Around month ends, a leap day, a year's end, and far jumps both ways. */
const moments = [
  '2028-01-31T23:59:59.999Z',
  '2028-02-01T00:00:00.000Z',
  '2028-02-28T23:59:59.999Z',
  '2028-02-29T12:00:00.000Z',
  '2028-02-29T23:59:59.999Z',
  '2028-03-01T00:00:00.000Z',
  '2028-12-31T23:59:59.999Z',
  '2029-01-01T00:00:00.000Z',
  '2031-07-15T08:30:00.000Z',
];

const accountIndex = fc.nat(ACCOUNTS - 1);
const refIndex = fc.nat(REFS - 1);
/** Most repeats of a ref are true repeats; `odd` asks for another amount or account under it. */
const reservation = fc.record({
  ref: refIndex,
  /** A key of the account, or none. */
  key: fc.option(fc.nat(1), { freq: 6 }),
  cap: fc.option(fc.constantFrom(1, 40, 60, 90, 120), { freq: 2 }),
  odd: fc.option(fc.record({ account: accountIndex, amount: fc.integer({ min: 1, max: 70 }) }), { freq: 12 }),
});
const batchOf = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: 1, maxLength: 8 });

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('reserve'), items: batchOf(reservation) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('settle'), refs: batchOf(refIndex) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('release'), refs: batchOf(refIndex) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('balance', 'open'), account: accountIndex }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('grant'),
      account: accountIndex,
      ref: fc.nat(6),
      amount: fc.constantFrom(5, 20, 50),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('clock'), moment: fc.nat(moments.length - 1) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('status'),
      account: accountIndex,
      status: fc.constantFrom('active', 'active', 'frozen', 'closed'),
      version: fc.nat(12),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

let database: LedgerDatabase;
const outcomes: unknown[] = [];
beforeAll(async () => {
  database = await openLedgerDatabase();
});
afterAll(() => database.close());

/** Runs the steps on the database and on the model; every answer has to be the same. */
const runSteps = async (steps: readonly Step[]) => {
  const { functions } = database;
  const model = new LedgerModel();
  const run = randomUUID();
  const accounts = Array.from({ length: ACCOUNTS }, () => randomUUID());
  const keys = Array.from({ length: 2 }, () => randomUUID());
  const refOf = (index: number) => `${run}:${index}`;
  let now = new Date('2028-01-31T23:59:59.999Z');

  const apply = async (given: Step): Promise<{ found: unknown; expected: unknown }> => {
    if ('items' in given) {
      const items = given.items.map(({ ref, key, cap, odd }) => ({
        ref: refOf(ref),
        account_id: accounts[odd?.account ?? ref % ACCOUNTS]!,
        amount: odd?.amount ?? ((ref * 7) % 55) + 1,
        key_id: key === null ? null : keys[key]!,
        daily_cap: cap,
      }));
      return { found: await functions.reserve(items, now), expected: model.reserve(items, now) };
    }
    if ('refs' in given) {
      const refs = given.refs.map(refOf);
      const isSettle = given.kind === 'settle';
      const found = isSettle ? await functions.settle(refs, now) : await functions.release(refs, now);
      return { found, expected: model.resolve(refs, isSettle ? 'settled' : 'released', now) };
    }
    if ('moment' in given) {
      now = new Date(moments[given.moment]!);
      return { found: null, expected: null };
    }
    const account = accounts[given.account]!;
    if ('amount' in given) {
      const grantRef = `purchase:${given.ref}`;
      const found = await functions.grant(account, grantRef, given.amount, now);
      return { found, expected: model.grant(account, grantRef, given.amount, now) };
    }
    if ('status' in given) {
      const found = await functions.setStatus(account, given.status, given.version);
      return { found, expected: model.setStatus(account, given.status, given.version) };
    }
    if (given.kind === 'open') {
      return { found: await functions.open(account, now, now), expected: model.open(account, now) };
    }
    return { found: await functions.balance(account, now), expected: model.balance(account, now) };
  };

  for (const given of steps) {
    const { found, expected } = await apply(given);
    expect(found).toEqual(expected);
    outcomes.push(...[found].flat().map((answer) => (answer as { outcome?: string } | null)?.outcome));
  }
  expect(await keyDaysOf(accounts)).toEqual(new Map([...model.keyDays.rows].toSorted()));
};

const keyDaysOf = async (accounts: readonly string[]) => {
  const { rows } = await database.admin.query(
    `SELECT account_id || ' ' || day || ' ' || key_id AS name, credits_used, credits_charged, reserved, settled,
            released
     FROM key_days WHERE account_id = ANY ($1)`,
    [accounts],
  );
  return new Map(rows.map(({ name, ...day }) => [name, day] as const).toSorted());
};

it('random operations, repeats, batches and clock jumps give exactly the balances of the plain model', async () => {
  const steps = fc.array(step, { minLength: 20, maxLength: 120, size: 'max' });
  await fc.assert(fc.asyncProperty(steps, runSteps), { numRuns: 200 });
  const { rows } = await database.admin.query<{ entries: number }>('SELECT count(*) AS entries FROM entries');
  expect(rows[0]!.entries).toBeGreaterThan(3_000);
  expect(outcomes.filter((outcome) => outcome === 'capped').length).toBeGreaterThan(100);
  expect(await database.findings()).toEqual([]);
});
