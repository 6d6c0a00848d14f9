import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { creditsLedger, newId, type OpenReservation } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { newReserve } from '../test-support/requests.ts';
import { startLedger, type TestLedger } from '../test-support/start-ledger.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger();
  // On the first days of a month, hours ago is the month before.
  await ledger.database.admin.query(`SELECT open_month(date_trunc('month', now() - interval '3 days')::date)`);
});
afterAll(() => ledger.stop());

const HOUR_MS = 3_600_000;
const before = (ms: number) => new Date(Date.now() - ms);
const list = (reason: string, olderThanMs: number, after: OpenReservation | null = null, limit = 100) =>
  ledger.call(creditsLedger.listOpenReservations, { reason, olderThanMs, after, limit }, testContext());
const refsOf = ({ rows }: { rows: { ref: string }[] }) => rows.map(({ ref }) => ref);

const refund = (ref: string, items: number[]) =>
  ledger.call(creditsLedger.refundItems, { ref, items }, testContext());
/** Looks refs up, in their order. */
const lookUp = async (refs: string[]) => {
  const { rows } = await ledger.call(creditsLedger.lookUpItems, { refs }, testContext());
  return rows.toSorted((one, other) => refs.indexOf(one.ref) - refs.indexOf(other.ref));
};

/** All at one moment, so that only the refs give an order. */
const hold = async (reason: string, count: number, now: Date) => {
  const account_id = randomUUID();
  const items = Array.from({ length: count }, () => ({ account_id, ref: randomUUID(), unit: 1, reason }));
  await ledger.database.functions.reserve(items, now);
  return items.map(({ ref }) => ref).toSorted();
};

describe('a reservation', () => {
  it('of a month that is not open is rejected with books_not_open, and holds nothing', async () => {
    const [accountId, ref] = [randomUUID(), newId(new Date('2042-01-01T00:00:00Z'))];
    const { coverage: _, ...charge } = newReserve({ accountId, ref, unit: 500 });
    const refused = { code: 'books_not_open', status: 503 };
    const { requests } = ledger;
    for (const items of [[1], [1, 2]])
      await expect(requests.reserve({ accountId, ref, items })).rejects.toMatchObject(refused);
    await expect(ledger.call(creditsLedger.chargeItems, charge, testContext())).rejects.toMatchObject(refused);
    expect(await requests.charge(ref)).toMatchObject({ charged: [], balance: null });
    expect(await requests.readBalance(accountId)).toMatchObject({
      ...{ free: 100, purchased: 0, reserved: 0, debt: 0 },
    });
  });
});

describe('a reservation charged in parts', () => {
  const HOURS = { olderThanMs: HOUR_MS, youngerThanMs: 24 * HOUR_MS };
  const charged = (reason: string, after: string | null, limit: number) =>
    ledger.call(creditsLedger.listChargedReservations, { reason, ...HOURS, after, limit }, testContext());
  /** Reserves items of one credit and charges the given ones. */
  const begin = async (reason: string, now: Date, items: readonly number[]): Promise<string> => {
    const [account_id, ref] = [randomUUID(), newId(now)];
    const asked = { account_id, ref, reason, unit: 1, items: [1, 2, 3] };
    const { admin } = ledger.database;
    await admin.query('SELECT FROM reserve_items($1, NULL, $2)', [JSON.stringify(asked), now]);
    if (items.length > 0) await ledger.requests.charge(ref, [...items]);
    return ref;
  };

  it('is listed by reason and age, page by page, with its returned items', async () => {
    const at = before(3 * HOUR_MS);
    const open = await begin('job', at, [1, 3]);
    const refunded = await begin('job', at, [2]);
    const all = await begin('job', at, [1, 2, 3]);
    await ledger.requests.release(refunded, [1, 3]);
    await refund(refunded, [2]);
    await begin('job', at, []);
    await begin('another', at, [1]);
    await begin('job', before(0), [1]);
    await begin('job', before(48 * HOUR_MS), [1]);
    const { rows: first } = await charged('job', null, 2);
    const { rows: rest } = await charged('job', first.at(-1)?.ref ?? null, 2);
    const expected = [
      { ref: open, held: [2], charged: [1, 3], refunded: [], released: [], unit: 1 },
      { ref: refunded, held: [], charged: [2], refunded: [2], released: [1, 3], unit: 1 },
      { ref: all, held: [], charged: [1, 2, 3], refunded: [], released: [], unit: 1 },
    ];
    expect([...first, ...rest]).toEqual(expected.toSorted((one, other) => (one.ref < other.ref ? -1 : 1)));
  });
});

describe('open reservations', () => {
  it('are listed by reason and age, oldest first, page by page without a gap or repeat', async () => {
    const old = await hold('listed', 5, before(3 * HOUR_MS));
    const newer = await hold('listed', 4, before(2 * HOUR_MS));
    await hold('listed', 3, before(0));
    await hold('another', 2, before(3 * HOUR_MS));
    const found: string[] = [];
    let after: OpenReservation | null = null;
    do {
      const { rows }: { rows: OpenReservation[] } = await list('listed', HOUR_MS, after, 2);
      found.push(...rows.map(({ ref }) => ref));
      after = rows.at(-1) ?? null;
    } while (after);
    expect(found).toEqual([...old, ...newer]);
  });

  it('are those neither charged nor released', async () => {
    const [settled, released, open] = await hold('resolved', 3, before(HOUR_MS));
    await ledger.database.functions.settle([String(settled)]);
    await ledger.database.functions.release([String(released)]);
    expect(refsOf(await list('resolved', 0))).toEqual([open]);
    const unknown = randomUUID();
    const rows = await lookUp([settled, released, open, unknown].map(String));
    const none = { unit: 1, held: [], charged: [], refunded: [], released: [] };
    expect(rows).toEqual([
      { ...none, ref: settled, charged: [1] },
      { ...none, ref: released, released: [1] },
      { ...none, ref: open, held: [1] },
    ]);
  });

  it('show whether a charge was refunded', async () => {
    const [refunded, kept, released] = (await hold('refunded', 3, before(HOUR_MS))).map(String) as [
      string,
      string,
      string,
    ];
    await ledger.database.functions.settle([refunded, kept]);
    await ledger.database.functions.release([released]);
    await refund(refunded, [1]);
    const rows = await lookUp([refunded, kept, released]);
    expect(rows).toMatchObject([
      { ref: refunded, charged: [1], refunded: [1] },
      { ref: kept, charged: [1], refunded: [] },
      { ref: released, charged: [], refunded: [] },
    ]);
  });

  it('are found without reading resolved ones', async () => {
    const client = await ledger.database.admin.connect();
    try {
      await client.query('BEGIN');
      await client.query(`
        INSERT INTO reservations (ref, account_id, unit, items, charged, released, refunded, held_free, held_purchased, free_month,
                                  created_at, resolved_at, reason)
        SELECT gen_random_uuid(), gen_random_uuid(), 1, B'1', B'1', '', '', 0, 0, '2027-01', now(), now(), 'transcript'
        FROM generate_series(1, 20000)`);
      await client.query('ANALYZE reservations');
      const { rows } = await client.query(`
        EXPLAIN SELECT ref FROM reservations
        WHERE resolved_at IS NULL AND reason = 'transcript' AND created_at < clock_timestamp() - interval '1 minute'
          AND (created_at, ref) > ('-infinity', '') ORDER BY created_at, ref LIMIT 500`);
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('reservations_open_idx');
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });
});
