import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LedgerDatabase, openLedgerDatabase } from '../test-support/ledger-database.ts';

let database: LedgerDatabase;
beforeAll(async () => {
  database = await openLedgerDatabase();
  const { reserve, settle, release, grant } = database.functions;
  for (const account_id of [randomUUID(), randomUUID(), randomUUID()]) {
    const items = Array.from({ length: 6 }, () => ({
      ...{ account_id, key_id: randomUUID(), ref: randomUUID(), amount: 2, reason: 'transcript' },
    }));
    const [one, two, three, ...open] = items.map(({ ref }) => ref) as [string, string, string];
    await reserve(items, new Date('2027-01-31T23:59:59Z'));
    await settle([one], new Date('2027-01-31T23:59:59.5Z'));
    await grant(account_id, 'purchase', 50, new Date('2027-02-01T00:00:01Z'));
    await settle([two], new Date('2027-02-01T00:00:02Z'));
    await release([three, ...open.slice(1)], new Date('2027-02-01T00:00:03Z'));
  }
});
afterAll(() => database.close());

/** What a migration derives from the entries, as of its text between two marks. */
const textBetween = async (folder: string, from: string, to: string): Promise<string> => {
  const file = new URL(`../../prisma/migrations/${folder}/migration.sql`, import.meta.url);
  const text = await readFile(file, 'utf8');
  expect([text.indexOf(from) > 0, text.indexOf(to) > text.indexOf(from)]).toEqual([true, true]);
  return text.slice(text.indexOf(from), text.indexOf(to));
};

/** Derives once more, from an empty state, and says which rows of these columns came out differently. */
const differences = async (derived: { table: string; columns: string; empty: string; text: string }[]) => {
  const client = await database.owner.connect();
  try {
    await client.query('BEGIN');
    for (const { table, columns, empty } of derived) {
      await client.query(
        `CREATE TEMP TABLE ${table}_before ON COMMIT DROP AS SELECT ${columns} FROM ${table}`,
      );
      await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER; ${empty};`);
    }
    for (const { text } of derived) await client.query(text);
    const found: unknown[] = [];
    for (const { table, columns } of derived) {
      const [now, before] = [`SELECT ${columns} FROM ${table}`, `SELECT ${columns} FROM ${table}_before`];
      const { rows } = await client.query(`(${now} EXCEPT ${before}) UNION ALL (${before} EXCEPT ${now})`);
      const { rows: all } = await client.query(now);
      expect(all.length).toBeGreaterThan(2);
      found.push(...rows);
    }
    return found;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
};

describe('a ledger that is migrated', () => {
  it('starts its days of keys with its whole history', async () => {
    const text = await textBetween(
      '20261120050000_key_days',
      'INSERT INTO key_days AS k (account_id, day, key_id, credits_charged',
      '-- The only writer of entries',
    );
    const columns = 'account_id, day, key_id, credits_used, credits_charged, reserved, settled, released';
    expect(await differences([{ table: 'key_days', columns, empty: 'DELETE FROM key_days', text }])).toEqual(
      [],
    );
  });

  it('knows whose the keys are that one account alone has used', async () => {
    const text = await textBetween('20261121040500_key_owners', 'INSERT INTO key_owners', 'DO $$');
    const shared = randomUUID();
    const items = [1, 2].map(() => ({
      account_id: randomUUID(),
      key_id: shared,
      ref: randomUUID(),
      amount: 1,
    }));
    await database.functions.reserve(items);
    await database.owner.query(text);
    const { rows } = await database.admin.query(
      `SELECT count(*)::integer AS keys, count(*) FILTER (WHERE o.account_id = k.account_id)::integer AS owned,
              count(*) FILTER (WHERE o.key_id = $1)::integer AS shared
       FROM (SELECT DISTINCT account_id, key_id FROM key_days) AS k LEFT JOIN key_owners AS o USING (key_id)`,
      [shared],
    );
    expect(rows).toEqual([{ keys: 20, owned: 18, shared: 0 }]);
  });

  it('numbers the lines of its whole history, and knows what open reservations are for', async () => {
    const text = await textBetween(
      '20261120150000_ledger_lines',
      'UPDATE entries AS e SET line',
      'CREATE UNIQUE INDEX entries_account_id_line_idx',
    );
    const derived = [
      { table: 'entries', columns: 'account_id, version, line', empty: 'UPDATE entries SET line = NULL' },
      { table: 'accounts', columns: 'account_id, lines', empty: 'UPDATE accounts SET lines = 0' },
      {
        table: 'key_days',
        columns: 'account_id, day, key_id, lines',
        empty: 'UPDATE key_days SET lines = 0',
      },
      {
        table: 'reservations',
        columns: 'ref, reason',
        empty: `UPDATE reservations SET reason = NULL WHERE state = 'open'`,
      },
    ];
    expect(
      await differences(derived.map((each, index) => ({ ...each, text: index === 0 ? text : '' }))),
    ).toEqual([]);
    expect(await database.findings()).toEqual([]);
  });
});
