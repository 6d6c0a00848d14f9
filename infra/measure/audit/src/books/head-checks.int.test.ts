import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import {
  account,
  type Corruption,
  corrupt,
  findingsAfter,
  type LedgerDatabase,
  openSmallBooks,
  stranger,
} from '../test-support/small-books.ts';
import { checkNewBooks } from './check-books.ts';

/** The first four entries of a small history are sealed; three are newer. */
let database: LedgerDatabase;
beforeAll(async () => {
  database = await openSmallBooks();
});
afterAll(() => database?.close());

const newFindings = () => database.newFindings();

const balance = 'balance since the last seal';
const corruptions: Corruption[] = [
  {
    change: 'UPDATE accounts SET purchased = purchased + 1',
    findings: [{ account, what: balance, expected: '3/20/2 after entry 7', found: '3/21/2 after entry 7' }],
  },
  {
    change: 'UPDATE entries SET free_delta = free_delta - 1 WHERE version = 5',
    findings: [{ account, what: balance, expected: '2/20/2 after entry 7', found: '3/20/2 after entry 7' }],
  },
  {
    change: 'DELETE FROM entries WHERE version = 7',
    findings: [{ account, what: balance, expected: '5/20/0 after entry 6', found: '3/20/2 after entry 7' }],
  },
  {
    change: `INSERT INTO accounts (account_id, purchased, created_at) VALUES ('${stranger}', 5, now())`,
    findings: [{ account: stranger, what: balance, expected: '0/0/0 after entry 0' }],
  },
  {
    change: 'DELETE FROM accounts',
    findings: [{ account, what: balance, expected: '3/20/2 after entry 7' }],
  },
  {
    change: `UPDATE reservations SET held_free = 0, resolved_at = now() WHERE ref = 'open'`,
    findings: [{ account, what: 'reserved credits against open reservations', expected: '0', found: '2' }],
  },
];

describe('the check of new entries', () => {
  it('finds nothing in right books, sealed or not', async () => {
    expect(await newFindings()).toEqual([]);
  });

  it.each(corruptions)('finds the differences after: $change', async ({ change, findings }) => {
    const found = await findingsAfter(database, change, checkNewBooks);
    expect(found).toMatchObject(findings);
  });

  it('finds an entry that did not follow from earlier ones when it was sealed', async () => {
    await corrupt(database, 'UPDATE entries SET free_after = 4 WHERE version = 5');
    expect(await newFindings()).toEqual([]);
    // Sealing waits for transactions of other databases of this server.
    await eventually(async () => {
      await database.app.query('SELECT seal_entries(100)');
      expect(await newFindings()).toMatchObject([{ account, what: 'entry 5' }]);
    });
  });
});
