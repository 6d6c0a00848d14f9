import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readProjection } from '@tds/base/testing';
import { creditsLedger } from '@tds/contracts';
import { eventually } from '@tds/test-kit';
import { startLedger, type TestLedger } from './test-support/start-ledger.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(async () => {
  expect(await ledger.database.findings()).toEqual([]);
  await ledger.stop();
});

const NIL = '00000000-0000-0000-0000-000000000000';

/** Each test has its own day, long past. */
let days = 0;
const newDay = (): string => {
  days += 1;
  return new Date(Date.UTC(2020, 0, days)).toISOString().slice(0, 10);
};
const afterDay = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000 + 60_000);

/** A new account charged on that day, in two parts under two keys. */
const charged = async (day: string, credits: number, given: { status?: string; unit?: number } = {}) => {
  const { functions } = ledger.database;
  const account_id = randomUUID();
  const noon = new Date(`${day}T12:00:00Z`);
  const units = [Math.floor(credits / 3), credits - Math.floor(credits / 3)].filter((unit) => unit > 0);
  const items = units.map((unit) => ({ account_id, key_id: randomUUID(), ref: randomUUID(), unit }));
  // A released reservation is no charge.
  const vain = { account_id, ref: randomUUID(), unit: 50 };
  await functions.reserve([vain], noon);
  await functions.release([vain.ref], noon);
  await functions.reserve(items, noon);
  await functions.settle(
    items.map(({ ref }) => ref),
    noon,
  );
  if (given.status) await functions.setStatus(account_id, given.status, 1);
  return account_id;
};
const listGrants = async (account: string) => {
  const { rows } = await ledger.database.admin.query<{ ref: string; credits: number }>(
    `SELECT ref, purchased_delta AS credits FROM entries WHERE account_id = $1 AND kind = 'grant'`,
    [account],
  );
  return rows;
};
const listEvents = (account: string) =>
  ledger.granted.filter(({ accountId, bucket }) => accountId === account && bucket === 'purchased');
const newCredit = (account: string, day: string, credits: number) => [
  { ref: `outage:${account}:${day}`, credits },
];

describe('the credit for a day of outage', () => {
  it.each([
    [9, 0],
    [10, 1],
    [19, 1],
    [20, 2],
    [99, 9],
  ])('for %d charged credits is %d', async (credits, given) => {
    const day = newDay();
    const account = await charged(day, credits);
    await ledger.database.functions.grantOutage(day, 500, afterDay(day));
    expect(await listGrants(account)).toEqual(given > 0 ? newCredit(account, day, given) : []);
  });

  it('goes to frozen accounts, which stay frozen, but not to closed ones', async () => {
    const day = newDay();
    const [frozen, closed] = [
      await charged(day, 30, { status: 'frozen' }),
      await charged(day, 30, { status: 'closed' }),
    ];
    const answers = await ledger.database.functions.grantOutage(day, 500, afterDay(day));
    expect(answers.find(({ account_id }) => account_id === frozen)).toMatchObject({
      outcome: 'granted',
      purchased: 3,
    });
    expect(answers.find(({ account_id }) => account_id === closed)).toMatchObject({
      outcome: 'closed',
      purchased: 0,
    });
    const more = { account_id: frozen, ref: randomUUID(), unit: 1 };
    expect(await ledger.database.functions.reserve([more], afterDay(day))).toMatchObject([
      { outcome: 'frozen' },
    ]);
  });

  it('is given once per account and day, for any repeats in parallel and any batch size', async () => {
    const day = newDay();
    const accounts = await Promise.all(Array.from({ length: 25 }, () => charged(day, 40)));
    const runs = await Promise.all(
      [1, 3, 7, 500, 500, 2].map((batch) => ledger.database.functions.grantOutage(day, batch, afterDay(day))),
    );
    const granted = runs.flat().filter(({ outcome }) => outcome === 'granted');
    expect(granted.map(({ account_id }) => account_id).toSorted()).toEqual(accounts.toSorted());
    for (const account of accounts) expect(await listGrants(account)).toEqual(newCredit(account, day, 4));
  });

  it('is rejected until a minute after the day', async () => {
    const day = newDay();
    await charged(day, 40);
    const early = new Date(afterDay(day).getTime() - 1);
    await expect(ledger.database.functions.grantOutage(day, 500, early)).rejects.toThrow('is not over');
  });

  it('of another day is separate, and counts only the charges of that day', async () => {
    const [first, second] = [newDay(), newDay()];
    const account = await charged(first, 20);
    const ref = randomUUID();
    // Reserved on the first day, charged on the second.
    await ledger.database.functions.reserve(
      [{ account_id: account, ref, unit: 50 }],
      new Date(`${first}T23:59:59Z`),
    );
    await ledger.database.functions.settle([ref], new Date(`${second}T00:00:00Z`));
    for (const day of [first, second]) await ledger.database.functions.grantOutage(day, 500, afterDay(second));
    expect(await listGrants(account)).toEqual([
      ...newCredit(account, first, 2),
      ...newCredit(account, second, 5),
    ]);
  });
});

describe('a day found to be an outage', () => {
  it('is granted in the background and emitted once, even if the event arrives again', async () => {
    const day = newDay();
    const accounts = await Promise.all(Array.from({ length: 12 }, () => charged(day, 30)));
    await Promise.all([1, 2, 3].map(() => ledger.evaluate(day)));
    await eventually(() => {
      for (const account of accounts) {
        expect(listEvents(account)).toEqual([
          { accountId: account, bucket: 'purchased', amount: 3, ref: `outage:${account}:${day}` },
        ]);
      }
    });
    await eventually(async () => {
      const { rows } = await ledger.database.admin.query(
        `SELECT FROM messaging.tasks WHERE name = 'grant-outage-credits' AND state <> 'done'`,
      );
      expect(rows).toEqual([]);
    });
    for (const account of accounts) expect(await listGrants(account)).toEqual(newCredit(account, day, 3));
    const projected = await readProjection(ledger.identityKit.redis, creditsLedger.balance, [
      accounts[0] as string,
    ]);
    expect(projected).toMatchObject({ purchased: 3 });
    expect(creditsLedger.creditsGranted.payload.safeParse(listEvents(accounts[0] as string)[0]).success).toBe(
      true,
    );
  });

  it('continues after a crash between or within batches; every account gets its credit once', async () => {
    const day = newDay();
    const accounts = await Promise.all(Array.from({ length: 40 }, () => charged(day, 50)));
    const batch = `SELECT account_id FROM grant_outage_credits($1, $2, 15)`;
    const first = await ledger.database.app.query(batch, [day, NIL]);
    const client = await ledger.database.app.connect();
    // The pool ignores errors of a client that is checked out.
    client.on('error', () => {});
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    await client.query('BEGIN');
    await client.query(batch, [day, first.rows.at(-1).account_id]);
    await ledger.database.admin.query('SELECT pg_terminate_backend($1, 5000)', [rows[0].pid]);
    client.release(true);
    const granted = async () => (await Promise.all(accounts.map(listGrants))).flat();
    expect(await granted()).toHaveLength(15);
    await ledger.evaluate(day);
    await eventually(async () => expect(await granted()).toHaveLength(accounts.length));
    for (const account of accounts) expect(await listGrants(account)).toEqual(newCredit(account, day, 5));
  });

  it('skips a locked account, and grants it later', async () => {
    const day = newDay();
    const accounts = await Promise.all(Array.from({ length: 5 }, () => charged(day, 10)));
    const holder = await ledger.database.admin.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM accounts WHERE account_id = $1 FOR UPDATE', [accounts[2]]);
      await ledger.evaluate(day);
      await eventually(async () => {
        for (const account of accounts.filter((_, index) => index !== 2)) {
          expect(await listGrants(account)).toHaveLength(1);
        }
      });
      expect(await listGrants(accounts[2] as string)).toEqual([]);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    await eventually(async () => expect(await listGrants(accounts[2] as string)).toHaveLength(1));
  });
});
