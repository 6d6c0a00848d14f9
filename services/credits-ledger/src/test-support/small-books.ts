import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eventually } from '@tds/test-kit';
import { checkBooks, type Finding } from '../books/check-books.ts';
import { type LedgerDatabase, openLedgerDatabase } from './ledger-database.ts';

export const account = randomUUID();
/** An account that the books lack. */
export const stranger = randomUUID();

const now = new Date('2027-01-20T10:00:00Z');

/** A small history: entries 1 month, 2 grant, 3 reserve, 4 settle, 5 reserve, 6 release, 7 reserve; four are sealed. */
export const openSmallBooks = async (): Promise<LedgerDatabase> => {
  const database = await openLedgerDatabase();
  const { grant, reserve, settle, release } = database.functions;
  await grant(account, 'purchase:1', 20, now);
  await reserve([{ account_id: account, ref: 'settled', unit: 95 }], now);
  await settle(['settled'], now);
  // Sealing waits for transactions of other databases of this server.
  await eventually(async () => {
    await database.app.query('SELECT seal_entries(100)');
    const { rowCount } = await database.admin.query('SELECT FROM entry_seals');
    assert.equal(rowCount, 4);
  });
  await reserve([{ account_id: account, ref: 'released', unit: 15 }], now);
  await release(['released', 'buried'], now);
  await reserve([{ account_id: account, ref: 'open', unit: 2 }], now);
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
