import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testContext } from '@tds/kit/testing';
import { openMonths } from './schedules.ts';
import { createDatabase, type Database } from './store/database.ts';
import { countMonthsAhead } from './store/entries.ts';
import { type LedgerDatabase, openLedgerDatabase } from './test-support/ledger-database.ts';

let database: LedgerDatabase;
let db: Database;
beforeAll(async () => {
  database = await openLedgerDatabase();
  db = createDatabase(database.app);
});
afterAll(async () => {
  await db.$disconnect();
  await database.close();
});

const runWith = async () => {
  const errors: string[] = [];
  const log = { error: (message: string) => void errors.push(message) };
  const run = openMonths({ db, log: log as never }, testContext());
  return { errors, run };
};
/** Drops months, as if time had passed. */
const forgetNextMonths = () =>
  database.owner.query(`
    DO $$
    DECLARE
      v_month text;
    BEGIN
      FOR v_ahead IN 1..3 LOOP
        v_month := to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + v_ahead * interval '1 month', '_YYYY_MM');
        EXECUTE format(
          'DROP TABLE IF EXISTS months.%I, months.%I, months.%I', 'reservations' || v_month, 'entries' || v_month,
          'entry_seals' || v_month
        );
      END LOOP;
    END
    $$`);

it('the next three months are always open, without an error in the log', async () => {
  await forgetNextMonths();
  expect(await countMonthsAhead(db, 3)).toBe(0);
  for (const _ of [1, 2]) {
    const { errors, run } = await runWith();
    await run;
    expect(errors).toEqual([]);
    expect(await countMonthsAhead(db, 3)).toBe(3);
  }
});

it('an error is logged if no month is ahead, whatever prevents opening one', async () => {
  await forgetNextMonths();
  const client = await database.owner.connect();
  try {
    await client.query('BEGIN');
    await client.query('LOCK TABLE reservations IN SHARE UPDATE EXCLUSIVE MODE');
    const { errors, run } = await runWith();
    await expect(run).rejects.toThrow();
    expect(errors).toEqual([expect.stringContaining('the next month is not open')]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
