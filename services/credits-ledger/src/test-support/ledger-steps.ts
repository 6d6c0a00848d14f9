import fc from 'fast-check';

export const ACCOUNTS = 4;
export const REFS = 30;
const JOBS = 8;
/** Of the largest job. */
export const MOST_PARTS = 9;

/** Around month ends, a leap day, a year's end, and far jumps both ways. */
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
/** Jobs stand under refs that whole reservations use, too. */
const jobIndex = fc.nat(JOBS - 1);
/** Most repeats of a ref are true repeats; `odd` asks for another amount or account under it. */
const reservation = fc.record({
  kind: fc.constant('reserve'),
  ref: refIndex,
  /** A key of the account, or none. */
  key: fc.option(fc.nat(1), { freq: 6 }),
  cap: fc.option(fc.constantFrom(1, 40, 60, 90, 120), { freq: 2 }),
  odd: fc.oneof(
    { weight: 11, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.record({ account: accountIndex, amount: fc.integer({ min: 1, max: 70 }) }) },
  ),
});
/** What arrives together is of one kind or of any. */
const operation = fc.oneof(
  { weight: 3, arbitrary: reservation },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('settle', 'release'), ref: refIndex }) },
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
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('job'),
      ref: jobIndex,
      account: accountIndex,
      /** One in four asks for another job under the same ref. */
      odd: fc.constantFrom(0, 0, 0, 1),
      key: fc.option(fc.nat(1), { freq: 6 }),
      cap: fc.option(fc.constantFrom(40, 90), { freq: 2 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('parts'),
      ref: jobIndex,
      parts: fc.option(
        fc.array(fc.integer({ min: 1, max: MOST_PARTS + 1 }), { minLength: 1, maxLength: 4 }),
        {
          freq: 6,
        },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rest'), ref: jobIndex }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('charge'),
      ref: refIndex,
      key: fc.option(fc.nat(1), { freq: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('dispute'),
      account: accountIndex,
      ref: fc.nat(3),
      amount: fc.constantFrom(10, 60),
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

/** A sequence of what may happen to a few accounts, their keys and a month's refs. */
export const sequenceOf = ({ least, most }: { least: number; most: number }): fc.Arbitrary<Step[]> =>
  fc.array(step, { minLength: least, maxLength: most, size: 'max' });
