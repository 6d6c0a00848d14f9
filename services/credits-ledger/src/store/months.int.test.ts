import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@tds/contracts';
import { eventually } from '@tds/test-kit';
import {
  buildStatement,
  type LedgerDatabase,
  type Operation,
  openLedgerDatabase,
} from '../test-support/ledger-database.ts';

const december = new Date('2026-12-31T23:59:59.999Z');
const january = new Date('2027-01-01T00:00:00.000Z');

let database: LedgerDatabase;
beforeAll(async () => {
  database = await openLedgerDatabase();
});
afterAll(async () => {
  expect(await database.findings()).toEqual([]);
  await database.close();
});

const findMonth = async (table: string, ref: string) => {
  const text = `SELECT tableoid::regclass::text AS month FROM ${table} WHERE ref = $1 ORDER BY 1`;
  return (await database.admin.query<{ month: string }>(text, [ref])).rows.map(({ month }) => month);
};
/** Sealing waits for transactions of other databases of this server. */
const seal = () =>
  eventually(async () => {
    await database.app.query('SELECT seal_entries(1000000)');
    const open =
      'SELECT FROM accounts AS a LEFT JOIN seal_heads AS h USING (account_id) WHERE h.version IS DISTINCT FROM a.version';
    expect((await database.admin.query(open)).rowCount).toBe(0);
  });
const readPage = async (account: string, limit: number, offset: number) => {
  const text = 'SELECT * FROM lines_page($1, NULL, NULL, $2, $3, NULL)';
  return (await database.app.query(text, [account, limit, offset])).rows;
};

describe('a reservation', () => {
  it('lies in the month of the time in its ref, and its entries in the month in which the account books', async () => {
    const [account_id, ref] = [randomUUID(), newId(december)];
    const { reserve, settle } = database.functions;
    expect(await reserve([{ account_id, ref, unit: 1 }], january)).toMatchObject([{ outcome: 'reserved' }]);
    expect(await settle([ref], january)).toMatchObject([{ outcome: 'settled' }]);
    expect(await reserve([{ account_id, ref, unit: 1 }], january)).toMatchObject([{ outcome: 'settled' }]);
    expect(await findMonth('reservations', ref)).toEqual(['months.reservations_2026_12']);
    expect(await findMonth('entries', ref)).toEqual(['months.entries_2027_01', 'months.entries_2027_01']);
  });

  it.each(['settle', 'release'] as const)('of one month is found by a %s in the next', async (kind) => {
    const [account_id, ref] = [randomUUID(), newId(december)];
    await database.functions.reserve([{ account_id, ref, unit: 3 }], december);
    const [answer] = await database.functions.apply([{ kind, ref }], january);
    expect(answer).toMatchObject({ outcome: `${kind}d`, free: 100, reserved: 0, month: '2027-01' });
    const [again] = await database.functions.apply([{ kind, ref }], january);
    expect(again).toMatchObject({ outcome: `${kind}d`, version: answer?.version });
  });

  it('without a time in its ref lies before all months, and is settled once like others', async () => {
    const [account_id, ref] = [randomUUID(), randomUUID()];
    await database.functions.reserve([{ account_id, ref, unit: 1 }], december);
    await database.functions.settle([ref], january);
    expect(await findMonth('reservations', ref)).toEqual(['months.reservations_before']);
    expect(await database.functions.settle([ref], january)).toMatchObject([{ outcome: 'settled', version: 4 }]);
  });

  it('of a month that is not open is rejected, but not others of the same call', async () => {
    const [account_id, early, late, good] = [
      randomUUID(),
      newId(new Date('1999-12-31T00:00:00Z')),
      newId(new Date('2042-01-01T00:00:00Z')),
      newId(december),
    ];
    const answers = await database.functions.apply(
      [
        { kind: 'reserve', account_id, ref: early, unit: 1 },
        { kind: 'reserve', account_id, ref: good, unit: 2 },
        { kind: 'release', ref: late },
        { kind: 'reserve', account_id, ref: late, unit: 4 },
      ],
      december,
    );
    expect(answers.map(({ outcome }) => outcome)).toEqual(['outside', 'reserved', 'unknown', 'outside']);
    expect(answers[3]).toMatchObject({ free: 98, reserved: 2 });
    expect(await database.functions.settle([early, late], december)).toMatchObject([
      { outcome: 'unknown' },
      { outcome: 'unknown' },
    ]);
    const tooMuch = { account_id, ref: late, unit: 1_000 };
    expect(await database.functions.charge(tooMuch, december)).toMatchObject([{ outcome: 'outside' }]);
    expect((await database.functions.balance(account_id, december))[0]).toMatchObject({
      free: 98,
      purchased: 0,
    });
  });
});

describe('a job', () => {
  it('settled in parts across the end of a year is charged once for each, listed completely, and sealed', async () => {
    const [account_id, ref] = [randomUUID(), newId(december)];
    const { grant, reserve, settleItems, releaseItems } = database.functions;
    const all = Array.from({ length: 500 }, (_, index) => index + 1);
    await grant(account_id, 'purchase', 500, december);
    expect(await reserve([{ account_id, ref, unit: 1, items: all }], december)).toMatchObject([
      { outcome: 'reserved', free: 0, purchased: 100, reserved: 500 },
    ]);
    const hundreds = (from: number) => Array.from({ length: 100 }, (_, index) => from * 100 + index + 1);
    await settleItems(ref, hundreds(0), december);
    await Promise.all([0, 1, 2].map(() => settleItems(ref, [...hundreds(0), ...hundreds(1)], january)));
    await seal();
    expect(await settleItems(ref, hundreds(2), january)).toMatchObject([
      { outcome: 'settled', free: 100, purchased: 100, reserved: 200 },
    ]);
    expect(await releaseItems(ref, all.slice(300), january)).toMatchObject([
      { outcome: 'released', free: 100, purchased: 300, reserved: 0 },
    ]);
    expect(await settleItems(ref, hundreds(3), january)).toMatchObject([{ outcome: 'released', charged: [] }]);
    expect(await findMonth('reservations', ref)).toEqual(['months.reservations_2026_12']);
    await seal();
    const lines = await readPage(account_id, 10, 0);
    expect(lines.map(({ kind, created_at: at }) => `${kind} ${at.getUTCMonth() + 1}`)).toEqual([
      ...['settle 1', 'settle 1', 'monthly_grant 1', 'settle 12', 'grant 12', 'monthly_grant 12'],
    ]);
    expect(lines[0]?.seal).toMatch(/^[\da-f]{64}$/);
    const pages = [];
    for (let offset = 0; offset < 6; offset += 2) pages.push(...(await readPage(account_id, 2, offset)));
    expect(pages.map(({ line }) => line)).toEqual([6, 5, 4, 3, 2, 1]);
  });
});

describe('months', () => {
  const open = async (sql: string): Promise<number> =>
    (await database.app.query<{ opened: number }>(`SELECT ${sql}::integer AS opened`)).rows[0]?.opened ?? -1;

  it('are opened ahead, once for concurrent calls', async () => {
    const asks = await Promise.all([1, 2, 3].map(() => open(`open_months(2, '2033-11-30T00:00:00Z')`)));
    expect(asks.toSorted()).toEqual([0, 0, 3]);
    expect(await open(`open_months(3, '2033-11-30T00:00:00Z')`)).toBe(1);
    expect(await open(`open_months(3, '2033-11-30T00:00:00Z')`)).toBe(0);
  });

  it('are opened beside reads and writes', async () => {
    const account_id = randomUUID();
    const client = await database.app.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT count(*) FROM entries');
      const operation: Operation = { kind: 'reserve', account_id, ref: newId(december), unit: 1 };
      await client.query(buildStatement(operation, december));
      expect(await open(`open_month('2034-05-01')`)).toBe(1);
      await client.query('COMMIT');
    } finally {
      client.release();
    }
  });

  it('are created like the one before: entries in a new one are unique, sealed and immutable', async () => {
    const [now, account_id] = [new Date('2034-05-15T00:00:00Z'), randomUUID()];
    await open(`open_month('2034-05-01')`);
    const ref = newId(now);
    await database.functions.reserve([{ account_id, ref, unit: 1 }], now);
    await database.functions.grant(account_id, 'purchase', 5, now);
    const shapeOf = async (month: string) => {
      const { rows } = await database.admin.query<{ made: string }>(
        `SELECT replace(indexdef, $1, '') AS made FROM pg_indexes WHERE schemaname = 'months' AND tablename LIKE '%' || $1
         UNION ALL SELECT conname || pg_get_constraintdef(c.oid) FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = conrelid
         WHERE relname LIKE '%' || $1 AND contype = 'c'
         UNION ALL SELECT tgname || tgenabled::text FROM pg_trigger JOIN pg_class AS t ON t.oid = tgrelid WHERE relname LIKE '%' || $1
         UNION ALL SELECT replace(relname, $1, '') || coalesce(reloptions::text, '') FROM pg_class WHERE relname LIKE '%' || $1
         ORDER BY 1`,
        [month],
      );
      return rows.map(({ made }) => made);
    };
    const made = await shapeOf('_2034_05');
    expect(made).toEqual(await shapeOf('_2026_12'));
    expect(made.length).toBeGreaterThan(18);
    const checks = [/^entries_buckets_check.*least/i, /^reservations_held_check.*least/i];
    for (const check of checks) expect(made).toContainEqual(expect.stringMatching(check));
    const again = `INSERT INTO months.reservations_2034_05 SELECT * FROM reservations WHERE ref = $1`;
    await expect(database.owner.query(again, [ref])).rejects.toMatchObject({ code: '23505' });
  });
});
