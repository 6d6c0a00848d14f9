import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { newId } from '@tds/contracts';
import { DebtModel } from './debt-model.ts';
import type { LedgerDatabase, Operation } from './ledger-database.ts';
import { LedgerModel } from './ledger-model.ts';
import { ACCOUNTS, moments, REFS, type Step } from './ledger-steps.ts';

const KEYS = 2;
const START = '2028-01-31T23:59:59.999Z';
const NOT_OPEN = '2040-05-01T00:00:00.000Z';

type Comparison = { readonly actual: unknown; readonly expected: unknown };

/** Accounts, keys and refs of one sequence, so that many sequences can share a database. */
const newNames = () => {
  // Of a closed month, without a time, and of every month that the clock shows.
  const refs = Array.from({ length: REFS }, (_, index) => {
    const month = [NOT_OPEN, undefined, ...moments][index % (moments.length + 2)];
    return month === undefined ? randomUUID() : newId(new Date(month));
  });
  const accounts = Array.from({ length: ACCOUNTS }, () => randomUUID());
  const keys = Array.from({ length: KEYS }, () => randomUUID());
  return {
    accounts,
    account: (index: number): string => accounts[index % ACCOUNTS] ?? '',
    key: (index: number | null): string | null => (index === null ? null : (keys[index] ?? null)),
    ref: (index: number): string => refs[index % REFS] ?? '',
    isOutside: (ref: string): boolean => refs.indexOf(ref) % (moments.length + 2) === 0,
  };
};
type SequenceNames = ReturnType<typeof newNames>;

/** The price of an item: constant for a ref, except for an odd request. */
const unitOf = (ref: number): number => ((ref * 7) % 55) + 1;

const toOperation = (
  names: SequenceNames,
  input: Extract<Step, { operations: unknown }>['operations'][number],
): Operation => {
  const [ref, { items }] = [names.ref(input.ref), input];
  if (!('cap' in input)) return { kind: input.kind as 'settle' | 'release', ref, items };
  return {
    kind: 'reserve',
    ref,
    items,
    account_id: names.account(input.odd?.account ?? input.ref),
    unit: input.odd?.amount ?? unitOf(input.ref),
    coverage: input.coverage,
    key_id: names.key(input.key),
    daily_cap: input.cap,
  };
};

const debtsIn = async (database: LedgerDatabase, accounts: readonly string[]): Promise<number[]> => {
  const { rows } = await database.admin.query<{ account_id: string; debt: number }>(
    'SELECT account_id, debt FROM accounts WHERE account_id = ANY ($1)',
    [accounts],
  );
  const debts = new Map(rows.map(({ account_id, debt }) => [account_id, debt]));
  return accounts.map((id) => debts.get(id) ?? 0);
};

const keyDaysIn = async (database: LedgerDatabase, accounts: readonly string[]) => {
  const { rows } = await database.admin.query(
    `SELECT account_id || ' ' || day || ' ' || key_id AS name, credits_used, credits_charged, reserved, settled,
            released
     FROM key_days WHERE account_id = ANY ($1)`,
    [accounts],
  );
  return new Map(rows.map(({ name, ...day }) => [name, day] as const).toSorted());
};

/** Applies each step to the database and to the plain model, at the same injected time. */
const createPair = (database: LedgerDatabase, names: SequenceNames) => {
  const { functions } = database;
  const model = new LedgerModel(names.isOutside);
  let now = new Date(START);
  const debts = new DebtModel(model);
  const onItems = async (
    step: Extract<Step, { kind: 'charge' | 'refund'; ref: number }>,
  ): Promise<Comparison> => {
    const [ref, { items }] = [names.ref(step.ref), step];
    if (!('key' in step)) {
      return { actual: await functions.refund(ref, items, now), expected: debts.refund(ref, items, now) };
    }
    const item = {
      ref,
      items,
      account_id: names.account(step.ref),
      unit: unitOf(step.ref),
      key_id: names.key(step.key),
    };
    return { actual: await functions.charge(item, now), expected: debts.charge(item, now) };
  };
  const onAccount = async (step: Extract<Step, { account: number }>): Promise<Comparison> => {
    const account = names.account(step.account);
    if ('amount' in step) {
      const ref = `purchase:${step.ref}`;
      const actual = await functions.grant(account, ref, step.amount, now);
      return { actual, expected: model.grant(account, ref, step.amount, now) };
    }
    if ('status' in step) {
      const actual = await functions.setStatus(account, step.status, step.version);
      return { actual, expected: model.setStatus(account, step.status, step.version) };
    }
    if (step.kind === 'open') {
      return { actual: await functions.open(account, now, now), expected: model.open(account, now) };
    }
    return { actual: await functions.balance(account, now), expected: model.balance(account, now) };
  };
  const apply = async (step: Step): Promise<Comparison> => {
    if ('moment' in step) {
      now = new Date(moments[step.moment] ?? START);
      return { actual: null, expected: null };
    }
    if ('items' in step) return onItems(step);
    if ('account' in step) return onAccount(step);
    const operations = step.operations.map((operation) => toOperation(names, operation));
    return {
      actual: await functions.apply(operations, now),
      expected: operations.flatMap((operation) => model.apply([operation], now)),
    };
  };
  return { model, apply };
};

/** Compares sequences with the plain model, and counts outcomes. */
export const createComparison = (database: LedgerDatabase) => {
  const outcomes = new Map<string, number>();
  const count = (answers: unknown): void => {
    for (const answer of [answers].flat()) {
      const { outcome } = (answer ?? {}) as { outcome?: string };
      if (outcome) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };
  return {
    outcomes,
    /** Rejects at the first answer or key day that differs from the model. */
    run: async (steps: readonly Step[]): Promise<void> => {
      const names = newNames();
      const { model, apply } = createPair(database, names);
      for (const step of steps) {
        const { actual, expected } = await apply(step);
        assert.deepEqual(actual, expected);
        count(actual);
      }
      const debts = names.accounts.map((id) => model.accounts.get(id)?.debt ?? 0);
      assert.deepEqual(await debtsIn(database, names.accounts), debts);
      const expected = new Map([...model.keyDays.rows].toSorted());
      assert.deepEqual(await keyDaysIn(database, names.accounts), expected);
    },
  };
};
