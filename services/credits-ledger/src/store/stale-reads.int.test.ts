import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import type { PoolClient } from 'pg';
import {
  buildStatement,
  type LedgerDatabase,
  type Operation,
  openLedgerDatabase,
} from '../test-support/ledger-database.ts';

let database: LedgerDatabase;
beforeAll(async () => {
  database = await openLedgerDatabase();
  // These calls wait on purpose, so they get no short lock timeout.
  await database.owner.query(`
    DO $$ DECLARE waiting regprocedure; BEGIN
      FOR waiting IN SELECT oid FROM pg_proc WHERE proconfig::text LIKE '%lock_timeout%' LOOP
        EXECUTE format('ALTER FUNCTION %s SET lock_timeout = %L', waiting, '60s');
      END LOOP;
    END $$`);
});
afterAll(async () => {
  expect(await database.findings()).toEqual([]);
  await database.close();
});

type Session = { readonly client: PoolClient; readonly pid: number };
const openSession = async (pool: LedgerDatabase['app']): Promise<Session> => {
  const client = await pool.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  return { client, pid: rows[0].pid };
};

/** A session with an open transaction, and two that call meanwhile. */
let holder: Session;
let first: Session;
let second: Session;
beforeEach(async () => {
  const { admin, app } = database;
  [holder, first, second] = await Promise.all([openSession(admin), openSession(app), openSession(app)]);
  await holder.client.query('BEGIN');
});
afterEach(async () => {
  await holder.client.query('ROLLBACK');
  for (const { client } of [holder, first, second]) client.release();
});

const reserve = (account_id: string, ref: string, unit = 1): Operation => ({
  kind: 'reserve',
  account_id,
  ref,
  unit,
});
const settle = (ref: string): Operation => ({ kind: 'settle', ref });
const release = (ref: string): Operation => ({ kind: 'release', ref });

type Answer = { readonly outcome: string; readonly free: number | null; readonly reserved: number | null };
const call = async ({ client }: Session, operation: Operation): Promise<Answer> => {
  const { rows } = await client.query<Answer>(buildStatement(operation));
  const { outcome, free, reserved } = rows[0] as Answer;
  return { outcome, free, reserved };
};

const untilItWaitsFor = (other: Session, caller: Session) =>
  eventually(async () => {
    const { rows } = await database.admin.query('SELECT pg_blocking_pids($1) AS pids', [caller.pid]);
    expect(rows).toEqual([{ pids: [other.pid] }]);
  });

/** Starts a call; resolves when it waits for the other session. `answer` resolves to its answer. */
const callThatWaitsFor = async (other: Session, caller: Session, operation: Operation) => {
  const answer = call(caller, operation);
  await untilItWaitsFor(other, caller);
  return { answer };
};
/** Stops calls after they have read reservations, before accounts, until the holder commits. */
const stopBeforeAccounts = () => holder.client.query('LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE');

describe('a call whose ref another transaction commits after its read', () => {
  it('holds nothing if that was its release', async () => {
    const [account, ref] = [randomUUID(), randomUUID()];
    await call(holder, release(ref));
    const { answer } = await callThatWaitsFor(holder, first, reserve(account, ref));
    await holder.client.query('COMMIT');
    expect(await answer).toEqual({ outcome: 'released', free: 100, reserved: 0 });
    expect(await database.functions.balance(account)).toMatchObject([{ free: 100, version: 1 }]);
  });

  it('charges no part that it released', async () => {
    const [account, ref] = [randomUUID(), randomUUID()];
    await call(holder, release(ref));
    const charge = JSON.stringify({ account_id: account, ref, unit: 1, items: [1] });
    const answer = first.client.query('SELECT charged, free FROM charge_items($1)', [charge]);
    await untilItWaitsFor(holder, first);
    await holder.client.query('COMMIT');
    expect((await answer).rows).toEqual([{ charged: [], free: 100 }]);
  });

  it('continues if the other transaction is rolled back', async () => {
    const [account, ref] = [randomUUID(), randomUUID()];
    await call(holder, release(ref));
    const { answer } = await callThatWaitsFor(holder, first, reserve(account, ref));
    await holder.client.query('ROLLBACK');
    expect(await answer).toEqual({ outcome: 'reserved', free: 99, reserved: 1 });
  });

  it('releases credits reserved meanwhile', async () => {
    const [account, ref] = [randomUUID(), randomUUID()];
    await call(holder, reserve(account, ref, 7));
    const { answer } = await callThatWaitsFor(holder, first, release(ref));
    await holder.client.query('COMMIT');
    expect(await answer).toEqual({ outcome: 'released', free: 100, reserved: 0 });
  });

  it('is not rejected for credits that its own repeat has just taken', async () => {
    const [account, ref] = [randomUUID(), randomUUID()];
    await database.functions.balance(account);
    await stopBeforeAccounts();
    await call(holder, reserve(account, ref, 100));
    const { answer } = await callThatWaitsFor(holder, first, reserve(account, ref, 100));
    await holder.client.query('COMMIT');
    expect(await answer).toEqual({ outcome: 'reserved', free: 0, reserved: 100 });
  });

  it('returns that it was settled: a repeat holds nothing', async () => {
    const [account, ref] = [randomUUID(), randomUUID()];
    await call(first, reserve(account, ref));
    await stopBeforeAccounts();
    await call(holder, settle(ref));
    const { answer } = await callThatWaitsFor(holder, first, reserve(account, ref));
    await holder.client.query('COMMIT');
    expect(await answer).toEqual({ outcome: 'settled', free: 99, reserved: 0 });
  });

  it.each([
    { meanwhile: release, outcome: 'released', free: 100 },
    { meanwhile: settle, outcome: 'settled', free: 99 },
  ])('resolves nothing if it was $outcome', async ({ meanwhile, outcome, free }) => {
    const [account, ref] = [randomUUID(), randomUUID()];
    await call(first, reserve(account, ref));
    await stopBeforeAccounts();
    await call(holder, meanwhile(ref));
    const { answer } = await callThatWaitsFor(holder, first, settle(ref));
    const { answer: late } = await callThatWaitsFor(holder, second, release(ref));
    await holder.client.query('COMMIT');
    for (const answered of [await answer, await late]) expect(answered).toEqual({ outcome, free, reserved: 0 });
  });
});

describe('calls that wait for each other', () => {
  it('run in turn if they wait for the account of a call that restarts', async () => {
    const [account, ref, next] = [randomUUID(), randomUUID(), randomUUID()];
    await database.functions.balance(account);
    const locker = await openSession(database.admin);
    try {
      await locker.client.query('BEGIN');
      await locker.client.query('SELECT FROM accounts WHERE account_id = $1 FOR UPDATE', [account]);
      await call(holder, release(ref));
      const { answer } = await callThatWaitsFor(locker, first, reserve(account, ref));
      await locker.client.query('ROLLBACK');
      // Until it has the account: on a busy machine the next call would take it first.
      await untilItWaitsFor(holder, first);
      const { answer: late } = await callThatWaitsFor(first, second, reserve(account, next));
      await holder.client.query('COMMIT');
      expect(await answer).toMatchObject({ outcome: 'released' });
      expect(await late).toMatchObject({ outcome: 'reserved', free: 99 });
    } finally {
      locker.client.release(true);
    }
  });
});

describe('other conflicts', () => {
  it('an entry that the account does not count is an error at once', async () => {
    const [account, ref] = [randomUUID(), randomUUID()];
    await holder.client.query(
      `INSERT INTO entries VALUES ($1, 2, 'reserve', $2, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, now())`,
      [account, ref],
    );
    const refused = call(holder, reserve(account, ref));
    await expect(refused).rejects.toMatchObject({ code: '23505', table: expect.stringMatching(/^entries/) });
  });

  it('a transaction that never sees committed rows is an error soon', async () => {
    const [account, ref] = [randomUUID(), randomUUID()];
    await holder.client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await database.functions.balance(account);
    await holder.client.query('SELECT FROM reservations LIMIT 1');
    await call(first, release(ref));
    await expect(call(holder, reserve(account, ref))).rejects.toMatchObject({ code: '40001' });
  });
});
