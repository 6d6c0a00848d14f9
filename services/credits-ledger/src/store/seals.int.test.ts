import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { type LedgerDatabase, openLedgerDatabase } from '../test-support/ledger-database.ts';

let database: LedgerDatabase;
beforeAll(async () => {
  database = await openLedgerDatabase();
});
afterAll(async () => {
  expect(await database.findings()).toEqual([]);
  await database.close();
});

const charge = async (account_id: string, count: number) => {
  const items = Array.from({ length: count }, () => ({ account_id, ref: randomUUID(), unit: 1 }));
  await database.functions.reserve(items);
  await database.functions.settle(items.map(({ ref }) => ref));
};
const seal = async (most: number): Promise<number> =>
  (await database.app.query('SELECT seal_entries($1) AS sealed', [most])).rows[0].sealed;
const unsealed = async () => {
  const { rows } = await database.admin.query(
    'SELECT FROM entries LEFT JOIN entry_seals AS s USING (account_id, version) WHERE s.version IS NULL',
  );
  return rows.length;
};
const seals = async () => (await database.admin.query('SELECT FROM entry_seals')).rows.length;
/** Seals everything, also behind transactions of other databases; returns the number of batches with entries. */
const sealAll = async (most: number) => {
  let batches = 0;
  await eventually(async () => {
    while ((await seal(most)) > 0) batches += 1;
    expect(await unsealed()).toBe(0);
  });
  return batches;
};

describe('the seals', () => {
  it('cover every entry in batches of any size, a transaction at once, and nothing twice', async () => {
    const accounts = Array.from({ length: 5 }, () => randomUUID());
    for (const account of accounts) await charge(account, 4);
    // Ten transactions of four and five entries.
    expect(await sealAll(7)).toBeGreaterThan(4);
    expect([await seals(), await database.findings()]).toEqual([5 * 9, []]);
    for (const account of accounts) await charge(account, 2);
    await sealAll(3);
    expect([await seals(), await database.findings()]).toEqual([5 * 13, []]);
    expect(await seal(100)).toBe(0);
  });

  it('miss nothing of a transaction that is slower than later ones', async () => {
    const [slow, quick] = [randomUUID(), randomUUID()];
    const client = await database.app.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT * FROM get_balance($1)', [slow]);
      await charge(quick, 3);
      await seal(100);
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    await charge(quick, 1);
    await sealAll(100);
    expect([await unsealed(), await database.findings()]).toEqual([0, []]);
  });

  it('continue in a server with lower transaction ids', async () => {
    await sealAll(100);
    await database.admin.query('UPDATE sealing SET next_written_in = next_written_in + 1000000');
    await charge(randomUUID(), 2);
    await sealAll(100);
    expect([await unsealed(), await database.findings()]).toEqual([0, []]);
  });

  it('are made by one sealer at a time, beside a working ledger', async () => {
    const account = randomUUID();
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        await charge(account, 5);
        await seal(8);
      }),
    );
    await sealAll(50);
    expect([await unsealed(), await database.findings()]).toEqual([0, []]);
  });

  it('can be recomputed from the entries alone, with any session settings', async () => {
    const account = randomUUID();
    await charge(account, 2);
    await sealAll(100);
    const client = await database.admin.connect();
    const rowsIn = async (timeZone: string) => {
      await client.query(`SET TimeZone = '${timeZone}'; SET DateStyle = 'German'`);
      const { rows } = await client.query<{ text: string; hash: string }>(
        `SELECT convert_from(canonical_entry(e), 'UTF8') AS text, encode(s.hash, 'hex') AS hash
         FROM entries AS e JOIN entry_seals AS s USING (account_id, version)
         WHERE e.account_id = $1 ORDER BY version`,
        [account],
      );
      return rows;
    };
    const rows = await rowsIn('Asia/Tokyo');
    expect(await rowsIn('UTC')).toEqual(rows);
    client.release(true);
    let before = Buffer.alloc(0);
    for (const { text, hash } of rows) {
      before = createHash('sha256').update(before).update(text).digest();
      expect(before.toString('hex')).toBe(hash);
    }
    expect(rows).toHaveLength(5);
  });

  it.each(['UPDATE entry_seals SET version = 9', 'DELETE FROM entry_seals', 'TRUNCATE entry_seals'])(
    'cannot be changed by any role: %s',
    async (change) => {
      await expect(database.app.query(change)).rejects.toMatchObject({ code: '42501' });
      await expect(database.owner.query(change)).rejects.toMatchObject({ code: '23001' });
    },
  );
});
