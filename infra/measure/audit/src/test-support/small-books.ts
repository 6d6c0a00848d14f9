import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createTestDatabase, eventually } from '@tds/test-kit';
import pg from 'pg';
import { checkBooks, checkNewBooks, type Finding } from '../books/check-books.ts';

export const account = randomUUID();
/** An account that the books lack. */
export const stranger = randomUUID();

const now = new Date('2027-01-20T10:00:00Z');

/** A ledger's database without a ledger. */
const openLedgerDatabase = async () => {
  const database = await createTestDatabase('credits-ledger');
  const poolOf = (connectionString: string) => new pg.Pool({ connectionString });
  const [app, owner, admin] = [poolOf(database.url), poolOf(database.ownerUrl), poolOf(database.adminUrl)];
  await owner.query(`SELECT open_month(m) FROM unnest('{2027-01-01,2027-02-01}'::date[]) AS m`);
  const check = async (books: typeof checkBooks): Promise<Finding[]> => {
    const client = await admin.connect();
    return books(client).finally(() => client.release());
  };
  return {
    app,
    admin,
    reserve: (request: object) =>
      app.query('SELECT reserve_items($1, NULL, $2)', [
        JSON.stringify({ items: [1], coverage: 'some', ...request }),
        now,
      ]),
    resolve: (kind: 'settle' | 'release', ref: string, items: readonly number[] = [1]) =>
      app.query('SELECT resolve_items($1, $2, $3, NULL, NULL, $4)', [kind, ref, items, now]),
    refund: (ref: string, items: readonly number[]) =>
      app.query('SELECT refund_items($1, $2, NULL, $3)', [ref, items, now]),
    findings: () => check(checkBooks),
    newFindings: () => check(checkNewBooks),
    close: async (): Promise<void> => {
      await Promise.all([app.end(), owner.end(), admin.end()]);
      await database.drop();
    },
  };
};
export type LedgerDatabase = Awaited<ReturnType<typeof openLedgerDatabase>>;

/** A small history: entries 1 month, 2 grant, 3 reserve, 4 settle, 5 reserve, 6 release, 7 reserve; four are sealed. */
export const openSmallBooks = async (): Promise<LedgerDatabase> => {
  const database = await openLedgerDatabase();
  const { app, reserve, resolve } = database;
  await app.query(`SELECT grant_credits($1, 'purchase:1', 20, NULL, NULL, $2)`, [account, now]);
  await reserve({ account_id: account, ref: 'settled', unit: 95 });
  await resolve('settle', 'settled');
  // Sealing waits for transactions of other databases of this server.
  await eventually(async () => {
    await app.query('SELECT seal_entries(100)');
    const { rowCount } = await database.admin.query('SELECT FROM entry_seals');
    assert.equal(rowCount, 4);
  });
  await reserve({ account_id: account, ref: 'released', unit: 15 });
  for (const ref of ['released', 'buried']) await resolve('release', ref);
  await reserve({ account_id: account, ref: 'open', unit: 2 });
  return database;
};

/** The change, as the administrator; no other role can. */
const corruption = (change: string): string => {
  const guards = ['accounts_check', 'accounts_buckets_check', 'entries_buckets_check'];
  const dropping = guards.map(
    (name) =>
      `ALTER TABLE ${name.startsWith('entries') ? 'entries' : 'accounts'} DROP CONSTRAINT IF EXISTS ${name};`,
  );
  for (const name of ['account', 'held', 'resolved']) {
    dropping.push(`ALTER TABLE reservations DROP CONSTRAINT IF EXISTS reservations_${name}_check;`);
  }
  return `ALTER TABLE entries DISABLE TRIGGER entries_are_append_only;
     ALTER TABLE entry_seals DISABLE TRIGGER entry_seals_are_append_only; ${dropping.join(' ')} ${change}`;
};

export const corrupt = async (database: LedgerDatabase, change: string): Promise<void> => {
  await database.admin.query(corruption(change));
};

/** The findings of a check after a change that is not kept: the check runs in the transaction of the change. */
export const findingsAfter = async (
  database: LedgerDatabase,
  change: string,
  check = checkBooks,
): Promise<Finding[]> => {
  const client = await database.admin.connect();
  try {
    await client.query('BEGIN');
    await client.query(corruption(change));
    const isOwnTransaction = (sql: string) => /^(?:BEGIN|ROLLBACK)/.test(sql);
    return await check({
      query: async (sql) => (isOwnTransaction(sql) ? { rows: [] } : client.query<Finding>(sql)),
    });
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
};

/** A change of the books and exactly the findings of the check. */
export type Corruption = { readonly change: string; readonly findings: readonly object[] };
