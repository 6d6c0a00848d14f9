import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { proven } from '@tds/test-kit';
import { type LedgerDatabase, openLedgerDatabase, untilFree } from '../test-support/ledger-database.ts';

const PARALLEL = 100;
const OPERATIONS = proven(90, 900);

let database: LedgerDatabase;
beforeAll(async () => {
  database = await openLedgerDatabase({ max: 16 });
});
afterAll(async () => {
  expect(await database.findings()).toEqual([]);
  await database.close();
});

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const openFunctions = () => {
  const { functions } = database;
  const { reserve, settle, release, balance } = functions;
  return {
    ...functions,
    reserve: untilFree(reserve),
    settle: untilFree(settle),
    release: untilFree(release),
    balance: untilFree(balance),
  };
};

/** Purchased credits beside the 100 free ones, the unit of each of 100 reservations, and the number that fits. */
const boundaries = [
  { purchased: 0, unit: 1, fit: 100 },
  { purchased: 0, unit: 2, fit: 50 },
  { purchased: 0, unit: 3, fit: 33 },
  { purchased: 0, unit: 100, fit: 1 },
  { purchased: 0, unit: 101, fit: 0 },
  { purchased: 1, unit: 101, fit: 1 },
  { purchased: 5, unit: 2, fit: 52 },
  { purchased: 20, unit: 7, fit: 17 },
  { purchased: 99, unit: 2, fit: 99 },
  { purchased: 100, unit: 2, fit: 100 },
];

it.each(boundaries)(
  'of 100 parallel reservations of $unit, exactly $fit fit into 100 free and $purchased purchased credits',
  async ({ purchased, unit, fit }) => {
    const functions = openFunctions();
    const account_id = randomUUID();
    if (purchased > 0) await functions.grant(account_id, 'purchase', purchased);
    const refs = times(PARALLEL, () => randomUUID());
    const answers = await Promise.all(refs.map((ref) => functions.reserve([{ account_id, ref, unit }])));
    expect(answers.filter(([answer]) => answer!.outcome === 'reserved')).toHaveLength(fit);
    expect(answers.filter(([answer]) => answer!.outcome === 'insufficient')).toHaveLength(PARALLEL - fit);
    const [held] = await functions.balance(account_id);
    expect(held!.reserved).toBe(fit * unit);
    expect(held!.free! + held!.purchased!).toBe(100 + purchased - fit * unit);

    const resolved = await Promise.all(
      refs.map((ref, i) => (i % 2 ? functions.settle([ref]) : functions.release([ref]))),
    );
    const charged = resolved.filter(([answer]) => answer!.outcome === 'settled').length * unit;
    const [rest] = await functions.balance(account_id);
    expect(rest).toMatchObject({ reserved: 0 });
    expect(rest!.free! + rest!.purchased!).toBe(100 + purchased - charged);
  },
);

it('parallel repeats of a reservation and of its settlement happen once', async () => {
  const functions = openFunctions();
  const item = { account_id: randomUUID(), ref: randomUUID(), unit: 10 };
  const reserved = await Promise.all(times(PARALLEL, () => functions.reserve([item, item])));
  for (const answer of reserved.flat())
    expect(answer).toMatchObject({ outcome: 'reserved', free: 90, reserved: 10 });
  const settled = await Promise.all(times(PARALLEL, () => functions.settle([item.ref, item.ref])));
  for (const answer of settled.flat())
    expect(answer).toMatchObject({ outcome: 'settled', free: 90, reserved: 0 });
  expect(await functions.balance(item.account_id)).toMatchObject([{ version: 3 }]);
});

it('parallel settles and releases of a reservation agree on one outcome', async () => {
  const functions = openFunctions();
  const items = times(40, () => ({ account_id: randomUUID(), ref: randomUUID(), unit: 4 }));
  await functions.reserve(items);
  for (const { ref, account_id } of items) {
    const answers = await Promise.all(
      times(8, (i) => (i % 2 ? functions.settle([ref]) : functions.release([ref]))),
    );
    const outcomes = new Set(answers.map(([answer]) => answer!.outcome));
    expect(outcomes.size).toBe(1);
    const [balance] = await functions.balance(account_id);
    expect(balance).toMatchObject({ reserved: 0, free: outcomes.has('settled') ? 96 : 100 });
  }
});

it('a release that races its reserve leaves nothing held, whichever is first', async () => {
  const functions = openFunctions();
  const account_id = randomUUID();
  const refs = times(OPERATIONS, () => randomUUID());
  await Promise.all(
    refs.flatMap((ref, i) => {
      const reserve = () => functions.reserve([{ account_id, ref, unit: 1 }]);
      const release = () => functions.release([ref]);
      return i % 2 ? [reserve(), release()] : [release(), reserve()];
    }),
  );
  expect(await functions.balance(account_id)).toMatchObject([{ free: 100, reserved: 0 }]);
});

it('operations on crossing accounts and refs wait for each other without a deadlock', async () => {
  const functions = openFunctions();
  const accounts = times(6, () => randomUUID());
  const refs = times(120, () => randomUUID());
  const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)]!;
  const batch = () => times(24, () => pick(refs));
  const operations = times(OPERATIONS, (i) => {
    if (i % 3 === 1) return functions.settle(batch());
    if (i % 3 === 2) return functions.release(batch());
    return functions.reserve(batch().map((ref) => ({ ref, account_id: pick(accounts), unit: 1 })));
  });
  // A deadlock would end one of them with an error.
  const answers = await Promise.all(operations);
  expect(answers.flat()).toHaveLength(OPERATIONS * 24);
});

it('many parallel first uses of an account open it once', async () => {
  const functions = openFunctions();
  const account = randomUUID();
  const answers = await Promise.all(times(50, () => functions.balance(account)));
  for (const [answer] of answers) expect(answer).toMatchObject({ free: 100, version: 1 });
  expect(answers.filter(([answer]) => answer!.has_events)).toHaveLength(1);
});
