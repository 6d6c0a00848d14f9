import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LedgerDatabase, openLedgerDatabase } from '../test-support/ledger-database.ts';

const january = new Date('2027-01-20T10:00:00Z');
const february = new Date('2027-02-01T00:00:00Z');

let database: LedgerDatabase;
beforeAll(async () => {
  database = await openLedgerDatabase();
});
afterAll(async () => {
  expect(await database.findings()).toEqual([]);
  await database.close();
});

const newRef = (name: string) => `${name}:${randomUUID()}`;

describe('a reservation', () => {
  it('takes free credits first, then purchased ones, and returns them to the same buckets', async () => {
    const { reserve, release, grant } = database.functions;
    const account = randomUUID();
    await grant(account, 'purchase:1', 50, january);
    const ref = newRef('job');
    const [reserved] = await reserve([{ account_id: account, ref, unit: 120 }], january);
    expect(reserved).toMatchObject({ outcome: 'reserved', free: 0, purchased: 30, reserved: 120 });
    const [released] = await release([ref], january);
    expect(released).toMatchObject({ outcome: 'released', free: 100, purchased: 50, reserved: 0 });
  });

  it('never returns free credits of a past month, but always purchased ones', async () => {
    const { reserve, release, grant } = database.functions;
    const account = randomUUID();
    await grant(account, 'purchase:1', 50, january);
    const ref = newRef('job');
    await reserve([{ account_id: account, ref, unit: 120 }], january);
    const [released] = await release([ref], february);
    expect(released).toMatchObject({ free: 100, purchased: 50, reserved: 0, month: '2027-02' });
  });

  it('charges once, whatever is repeated after its settlement', async () => {
    const { reserve, settle, release } = database.functions;
    const item = { account_id: randomUUID(), ref: newRef('row'), unit: 1 };
    await reserve([item], january);
    expect(await settle([item.ref], january)).toMatchObject([{ outcome: 'settled', free: 99, reserved: 0 }]);
    for (const again of [settle, release]) {
      expect(await again([item.ref], january)).toMatchObject([{ outcome: 'settled', free: 99, version: 3 }]);
    }
    expect(await reserve([item], january)).toMatchObject([{ outcome: 'settled', free: 99, reserved: 0 }]);
  });

  it('is never charged after its release', async () => {
    const { reserve, settle, release } = database.functions;
    const item = { account_id: randomUUID(), ref: newRef('row'), unit: 1 };
    await reserve([item], january);
    await release([item.ref], january);
    expect(await settle([item.ref], january)).toMatchObject([{ outcome: 'released', free: 100, reserved: 0 }]);
    expect(await reserve([item], january)).toMatchObject([{ outcome: 'released', free: 100, reserved: 0 }]);
  });

  it('holds nothing if its release came first', async () => {
    const { reserve, settle, release } = database.functions;
    const item = { account_id: randomUUID(), ref: newRef('row'), unit: 5 };
    expect(await release([item.ref, item.ref], january)).toMatchObject([
      { outcome: 'unknown', account_id: null },
      { outcome: 'released', account_id: null },
    ]);
    expect(await reserve([item], january)).toMatchObject([{ outcome: 'released', free: 100, reserved: 0 }]);
    expect(await settle([item.ref], january)).toMatchObject([{ outcome: 'released', account_id: null }]);
  });

  it('is unknown to a settle without a reserve, which leaves no trace', async () => {
    const { reserve, settle } = database.functions;
    const item = { account_id: randomUUID(), ref: newRef('row'), unit: 5 };
    expect(await settle([item.ref], january)).toMatchObject([{ outcome: 'unknown', account_id: null }]);
    expect(await reserve([item], january)).toMatchObject([{ outcome: 'reserved', reserved: 5 }]);
  });

  it('is rejected whole if the balance is one credit short; the same ref may try again later', async () => {
    const { reserve, grant } = database.functions;
    const item = { account_id: randomUUID(), ref: newRef('job'), unit: 101 };
    expect(await reserve([item], january)).toMatchObject([{ outcome: 'insufficient', free: 100, reserved: 0 }]);
    await grant(item.account_id, 'purchase:1', 5, january);
    expect(await reserve([item], january)).toMatchObject([{ outcome: 'reserved', free: 0, purchased: 4 }]);
  });

  it('under a ref of another operation is a conflict', async () => {
    const { reserve } = database.functions;
    const item = { account_id: randomUUID(), ref: newRef('job'), unit: 2 };
    await reserve([item], january);
    const others = [
      { ...item, unit: 3 },
      { ...item, account_id: randomUUID() },
    ];
    expect(await reserve(others, january)).toMatchObject([{ outcome: 'conflict' }, { outcome: 'conflict' }]);
  });

  it('with the key of another account is a conflict, also for a charge', async () => {
    const { reserve, charge, balance } = database.functions;
    const [account_id, key_id, stranger] = [randomUUID(), randomUUID(), randomUUID()];
    await database.admin.query('INSERT INTO key_owners VALUES ($1, $2)', [key_id, account_id]);
    const lie = { account_id: stranger, key_id, ref: newRef('job'), unit: 1, daily_cap: 5 };
    expect(await reserve([lie, { ...lie, account_id, ref: newRef('own') }], january)).toMatchObject([
      { outcome: 'conflict', free: 100, reserved: 0 },
      { outcome: 'reserved', free: 99, reserved: 1 },
    ]);
    expect(await charge(lie, january)).toMatchObject([{ outcome: 'conflict' }]);
    expect(await balance(stranger, january)).toMatchObject([{ free: 100, reserved: 0, version: 1 }]);
  });

  it('larger than any integer is insufficient, not an error', async () => {
    const item = { account_id: randomUUID(), ref: newRef('job'), unit: 2_147_483_647, items: [1, 2] };
    expect(await database.functions.reserve([item], january)).toMatchObject([{ outcome: 'insufficient' }]);
  });
});

describe('an account', () => {
  it.each(['frozen', 'closed'])(
    'that is %s reserves nothing, but open items can be resolved',
    async (status) => {
      const { reserve, settle, release, setStatus } = database.functions;
      const account_id = randomUUID();
      const [first, second] = [newRef('a'), newRef('b')];
      await reserve(
        [first, second].map((ref) => ({ account_id, ref, unit: 10 })),
        january,
      );
      expect(await setStatus(account_id, status, 1)).toBe(true);
      const late = { account_id, ref: newRef('c'), unit: 1 };
      expect(await reserve([late], january)).toMatchObject([{ outcome: status, free: 80, reserved: 20 }]);
      expect(await settle([first], january)).toMatchObject([{ outcome: 'settled', free: 80, reserved: 10 }]);
      expect(await release([second], january)).toMatchObject([{ outcome: 'released', free: 90, reserved: 0 }]);
    },
  );

  it('gets its monthly credits when frozen, and nothing when closed', async () => {
    const { balance, grant, setStatus } = database.functions;
    const [frozen, closed] = [randomUUID(), randomUUID()];
    await setStatus(frozen, 'frozen', 1);
    await setStatus(closed, 'closed', 1);
    expect(await balance(frozen, january)).toMatchObject([{ free: 100 }]);
    expect(await balance(closed, january)).toMatchObject([{ free: 0, version: 0, month: '0000-00' }]);
    expect(await grant(frozen, 'outage:1', 3, january)).toMatchObject([{ outcome: 'granted', purchased: 3 }]);
    expect(await grant(closed, 'outage:1', 3, january)).toMatchObject([{ outcome: 'closed', purchased: 0 }]);
  });

  it('ignores an older status', async () => {
    const { setStatus, reserve } = database.functions;
    const account_id = randomUUID();
    expect(await setStatus(account_id, 'frozen', 5)).toBe(true);
    expect(await setStatus(account_id, 'active', 4)).toBe(false);
    expect(await setStatus(account_id, 'active', 5)).toBe(false);
    expect(await reserve([{ account_id, ref: newRef('a'), unit: 1 }])).toMatchObject([{ outcome: 'frozen' }]);
  });

  it('is opened on its first use; a later event corrects only its creation time', async () => {
    const { reserve, open } = database.functions;
    const account_id = randomUUID();
    await reserve([{ account_id, ref: newRef('a'), unit: 1 }], january);
    const born = new Date('2027-01-19T00:00:00Z');
    expect(await open(account_id, born, january)).toMatchObject([
      { outcome: 'opened', free: 99, has_events: false },
    ]);
    const { rows } = await database.admin.query('SELECT created_at FROM accounts WHERE account_id = $1', [
      account_id,
    ]);
    expect(rows).toEqual([{ created_at: born }]);
  });
});

describe('the free credits of a month', () => {
  it('are set to 100 once per month; skipped months are not added', async () => {
    const { balance, reserve } = database.functions;
    const account_id = randomUUID();
    await reserve([{ account_id, ref: newRef('a'), unit: 30 }], new Date('2028-02-29T23:59:59.999Z'));
    expect(await balance(account_id, new Date('2028-06-01T00:00:00Z'))).toMatchObject([
      { free: 100, reserved: 30, version: 3, month: '2028-06' },
    ]);
  });

  it('are not granted again by a clock that goes back over a year and returns', async () => {
    const { balance, reserve } = database.functions;
    const account_id = randomUUID();
    await balance(account_id, new Date('2029-01-01T00:00:00Z'));
    await reserve([{ account_id, ref: newRef('a'), unit: 100 }], new Date('2028-12-31T23:59:59.999Z'));
    for (const now of ['2028-12-31T00:00:00Z', '2029-01-01T00:00:00Z']) {
      expect(await balance(account_id, new Date(now))).toMatchObject([{ free: 0, month: '2029-01' }]);
    }
  });
});
