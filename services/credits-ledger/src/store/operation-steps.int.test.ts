import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LedgerDatabase, openLedgerDatabase } from '../test-support/ledger-database.ts';

let database: LedgerDatabase;
beforeAll(async () => {
  database = await openLedgerDatabase();
});
afterAll(() => database.close());

type Step = {
  readonly outcome: string;
  readonly free: number;
  readonly purchased: number;
  readonly reserved: number;
  readonly held: readonly number[];
  readonly charged: readonly number[];
  readonly lacked: string | null;
};

/** An SQL function alone; composite arguments are JSON. */
const step = async (call: string, values: readonly unknown[]): Promise<Step> => {
  const { rows } = await database.owner.query<{ step: Step }>(`SELECT to_jsonb(${call}) AS step`, [
    ...values,
  ]);
  if (!rows[0]) throw new Error('a step has a result');
  return rows[0].step;
};

const NOW = '2027-01-20T12:00:00Z';

describe('a hold of three parts of 10 credits, with 15 free and 10 purchased ones', () => {
  const hold = (given: {
    operation?: object;
    account?: object;
    capLeft?: number;
    month?: null;
    gone?: string;
  }) =>
    step(
      `hold_parts(jsonb_populate_record(NULL::ledger_operation, $1), jsonb_populate_record(NULL::booked_reservation, $2),
         jsonb_populate_record(NULL::accounts, $3), $4, $5, '${NOW}')`,
      [
        { kind: 'reserve', ref: 'a', unit: 10, parts: [1, 2, 3], coverage: 'some', ...given.operation },
        given.gone ? { ref: 'a', given_back: given.gone, charged: '', parts: '' } : {},
        { free: 15, purchased: 10, status: 'active', ...given.account },
        given.capLeft ?? null,
        given.month === null ? null : '2027-01-01',
      ],
    );
  const nothing = { free: 0, purchased: 0, reserved: 0, held: [] };
  const lacked = 'insufficient_credits';

  it.each([
    [
      'holds two, from free credits first',
      {},
      { free: -15, purchased: -5, reserved: 20, held: [1, 2], lacked },
    ],
    ['holds one within a cap of 19', { capLeft: 19 }, { free: -10, held: [1], lacked: 'daily_credit_cap' }],
    ['holds no part that was given back', { gone: '1' }, { held: [2, 3], lacked: null }],
    ['holds all or nothing', { operation: { coverage: 'all' } }, { ...nothing, outcome: 'insufficient' }],
    ['is outside if the month is not open', { month: null }, { ...nothing, outcome: 'outside' }],
    [
      'holds nothing for a frozen account',
      { account: { status: 'frozen' } },
      { ...nothing, outcome: 'frozen' },
    ],
    ['holds nothing beyond the cap', { capLeft: -1 }, { ...nothing, outcome: 'capped' }],
  ])('%s', async (_, given, expected) => {
    expect(await hold(given)).toMatchObject({ outcome: 'reserved', ...expected });
  });
});

describe('three held parts of 10 credits, 15 of them free', () => {
  const held = { unit: 10, parts: '111', charged: '', given_back: '', held_free: 15, held_purchased: 15 };
  const resolve = (kind: string, parts: readonly number[], month: string) =>
    step(
      `resolve_parts(jsonb_populate_record(NULL::ledger_operation, $1), jsonb_populate_record(NULL::booked_reservation, $2), $3, '${NOW}')`,
      [{ kind, parts }, { ref: 'a', free_month: '2027-01', ...held }, month],
    );

  it.each([
    ['settle', [1], '2027-01', { free: 0, purchased: 0, reserved: -10, held: [2, 3], charged: [1] }],
    ['release', [1], '2027-01', { free: 0, purchased: 10, reserved: -10, held: [2, 3], charged: [] }],
    ['release', [1, 2], '2027-01', { free: 5, purchased: 15, reserved: -20, held: [3] }],
    ['release', [1, 2], '2027-02', { free: 0, purchased: 15, reserved: -20, held: [3] }],
    ['release', [1, 2, 3], '2027-01', { free: 15, purchased: 15, reserved: -30, held: [] }],
    ['release', [4], '2027-01', { free: 0, purchased: 0, reserved: 0, held: [1, 2, 3] }],
  ] as const)('%s of parts %j in %s changes its buckets', async (kind, parts, month, expected) => {
    expect(await resolve(kind, parts, month)).toMatchObject(expected);
  });
});
