import fc from 'fast-check';

export const ACCOUNTS = 4;
export const REFS = 30;

/** Around ends of months, a leap day, the end of a year, and far jumps both ways. */
export const moments = [
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
/** Most operations have one item. */
const items = fc.oneof(
  { weight: 2, arbitrary: fc.constant([1]) },
  { weight: 1, arbitrary: fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }) },
);
/** Most repeats of a ref are true repeats; `odd` changes price or account. */
const reservation = fc.record({
  kind: fc.constant('reserve'),
  ref: refIndex,
  items,
  coverage: fc.constantFrom('all', 'some'),
  /** A key of the account, or none. */
  key: fc.option(fc.nat(1), { freq: 6 }),
  cap: fc.option(fc.constantFrom(1, 40, 60, 90, 120), { freq: 2 }),
  odd: fc.oneof(
    { weight: 11, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.record({ account: accountIndex, amount: fc.integer({ min: 1, max: 70 }) }) },
  ),
});
/** Batches of one kind or of any. */
const operation = fc.oneof(
  { weight: 3, arbitrary: reservation },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('settle', 'release'), ref: refIndex, items }) },
);

const step = fc.oneof(
  { weight: 14, arbitrary: fc.record({ operations: fc.array(operation, { minLength: 1, maxLength: 8 }) }) },
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
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund'), ref: refIndex, items }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('charge'),
      ref: refIndex,
      items,
      key: fc.option(fc.nat(1), { freq: 6 }),
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
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A random sequence of steps on a few accounts, their keys and refs. */
export const buildSequence = ({ min, max }: { min: number; max: number }): fc.Arbitrary<Step[]> =>
  fc.array(step, { minLength: min, maxLength: max, size: 'max' });
