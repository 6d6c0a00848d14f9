import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LedgerDatabase, openLedgerDatabase } from '../test-support/ledger-database.ts';

const january = new Date('2027-01-31T10:00:00Z');
const february = new Date('2027-02-01T10:00:00Z');

let database: LedgerDatabase;
beforeAll(async () => {
  database = await openLedgerDatabase();
});
afterAll(async () => {
  expect(await database.findings()).toEqual([]);
  await database.close();
});

/** The credits left in each event of an account, oldest first. */
const listLowBalances = async (accountId: string, event = 'balance-ran-low'): Promise<number[]> => {
  const { rows } = await database.admin.query<{ available: number }>(
    `SELECT (payload -> 'available')::int AS available FROM messaging.outbox
     WHERE subject = $2 AND payload ->> 'accountId' = $1 ORDER BY id`,
    [accountId, `evt.credits-ledger.${event}.v1`],
  );
  return rows.map(({ available }) => available);
};

const setThreshold = async (accountId: string, threshold: number | null, version = 1, now?: Date) => {
  const { rows } = await database.app.query<{ isNew: boolean }>(
    'SELECT set_low_threshold($1, $2, $3, $4) AS "isNew"',
    [accountId, threshold, version, now ?? 'now'],
  );
  return rows[0]?.isNew;
};

const hold = async (accountId: string, unit: number): Promise<string> => {
  const ref = randomUUID();
  await database.functions.reserve([{ account_id: accountId, ref, unit }]);
  return ref;
};
const spend = async (accountId: string, credits: number): Promise<void> => {
  await database.functions.settle([await hold(accountId, credits)]);
};
const newAccount = async (threshold: number): Promise<string> => {
  const accountId = randomUUID();
  await setThreshold(accountId, threshold);
  return accountId;
};

describe('an account with a threshold', () => {
  it('gets an event when it spends below it: once, and again after it was reached', async () => {
    const accountId = await newAccount(10);
    await spend(accountId, 90);
    expect(await listLowBalances(accountId)).toEqual([]);
    await spend(accountId, 1);
    await spend(accountId, 4);
    expect(await listLowBalances(accountId)).toEqual([9]);
    await database.functions.grant(accountId, randomUUID(), 4);
    await spend(accountId, 1);
    expect(await listLowBalances(accountId)).toEqual([9]);
    await database.functions.grant(accountId, randomUUID(), 2);
    await spend(accountId, 3);
    expect(await listLowBalances(accountId)).toEqual([9, 7]);
  });

  it('gets none for held credits, however often they are released', async () => {
    const accountId = await newAccount(100);
    for (let time = 0; time < 3; time += 1) await database.functions.release([await hold(accountId, 60)]);
    expect(await listLowBalances(accountId)).toEqual([]);
    const ref = randomUUID();
    await database.functions.reserve([{ account_id: accountId, ref, unit: 1, items: [1, 2, 3] }]);
    await database.functions.settleItems(ref, [1]);
    await database.functions.settleItems(ref, [2]);
    expect(await listLowBalances(accountId)).toEqual([97]);
  });

  it.each<[string, (accountId: string) => Promise<unknown>, number]>([
    ['a dispute takes them', (id) => dispute(id), 100],
    ['a delivery is charged without a reservation', (id) => chargeUnheld(id), 119],
  ])('gets one, too, if %s', async (_, take, left) => {
    const accountId = await newAccount(120);
    await database.functions.buy(accountId, `purchase:${accountId}`, 20);
    expect(await listLowBalances(accountId)).toEqual([100]);
    await take(accountId);
    expect(await listLowBalances(accountId)).toEqual([100, left]);
  });
  const dispute = (id: string) => database.functions.correct(id, `purchase:${id}`, 0);
  const chargeUnheld = (id: string) =>
    database.functions.charge({ account_id: id, ref: randomUUID(), unit: 1, key_id: randomUUID() });

  it('gets one in a new month although it was low in the one before', async () => {
    const accountId = randomUUID();
    await setThreshold(accountId, 50, 1, january);
    for (const [now, credits] of [
      [january, 60],
      [february, 70],
    ] as const) {
      const ref = randomUUID();
      await database.functions.reserve([{ account_id: accountId, ref, unit: credits }], now);
      await database.functions.settle([ref], now);
    }
    expect(await listLowBalances(accountId)).toEqual([40, 30]);
  });

  it('gets one if many operations spend at the same time', async () => {
    const accountId = await newAccount(90);
    await Promise.all(Array.from({ length: 30 }, () => spend(accountId, 1)));
    expect(await listLowBalances(accountId)).toHaveLength(1);
  });
});

describe('a threshold', () => {
  it('above the balance emits an event at once, and again only after a change', async () => {
    const accountId = await newAccount(500);
    expect(await listLowBalances(accountId)).toEqual([100]);
    await setThreshold(accountId, 500, 2);
    await spend(accountId, 1);
    expect(await listLowBalances(accountId)).toEqual([100]);
    await setThreshold(accountId, 600, 3);
    expect(await listLowBalances(accountId)).toEqual([100, 99]);
  });

  it('applies to the credits of this month, even of an account without use', async () => {
    const accountId = randomUUID();
    await database.functions.reserve([{ account_id: accountId, ref: randomUUID(), unit: 95 }], january);
    await setThreshold(accountId, 20, 1, february);
    expect(await listLowBalances(accountId)).toEqual([]);
  });

  it('that is removed emits nothing, and older changes of it have no effect', async () => {
    const accountId = await newAccount(95);
    expect(await setThreshold(accountId, null, 3)).toBe(true);
    expect(await setThreshold(accountId, 99, 2)).toBe(false);
    expect(await setThreshold(accountId, 99, 3)).toBe(false);
    await spend(accountId, 50);
    expect(await listLowBalances(accountId)).toEqual([]);
  });
});

describe('the threshold of mails', () => {
  const setMailThreshold = (accountId: string, threshold: number | null) =>
    database.app.query('SELECT set_mail_threshold($1, $2)', [accountId, threshold]);
  const listForMail = (accountId: string) => listLowBalances(accountId, 'balance-ran-low-for-mail');

  it('emits once until it is reached again, beside that of the webhook', async () => {
    const accountId = await newAccount(95);
    await setMailThreshold(accountId, 50);
    await spend(accountId, 10);
    expect([await listLowBalances(accountId), await listForMail(accountId)]).toEqual([[90], []]);
    for (const credits of [41, 5]) await spend(accountId, credits);
    expect([await listLowBalances(accountId), await listForMail(accountId)]).toEqual([[90], [49]]);
    await database.functions.grant(accountId, randomUUID(), 6);
    await spend(accountId, 1);
    expect([await listLowBalances(accountId), await listForMail(accountId)]).toEqual([[90], [49, 49]]);
  });

  it('emits at once if the account has less, for no held credits, and not once it is removed', async () => {
    const accountId = randomUUID();
    await setMailThreshold(accountId, 80);
    await database.functions.release([await hold(accountId, 60)]);
    expect(await listForMail(accountId)).toEqual([]);
    await setMailThreshold(accountId, 101);
    await setMailThreshold(accountId, 101);
    expect(await listForMail(accountId)).toEqual([100]);
    await setMailThreshold(accountId, null);
    await spend(accountId, 90);
    expect(await listForMail(accountId)).toEqual([100]);
  });
});

describe('the threshold of refills', () => {
  const setRefill = async (accountId: string, threshold: number | null, version: number) => {
    const text = 'SELECT set_refill_threshold($1, $2, $3) AS "isNew"';
    return (await database.app.query<{ isNew: boolean }>(text, [accountId, threshold, version])).rows[0]?.isNew;
  };
  const listForRefill = (accountId: string) => listLowBalances(accountId, 'balance-ran-low-for-refill');

  it('emits once until it is reached again, at once if the account has less, and never for an older version', async () => {
    const accountId = randomUUID();
    expect(await setRefill(accountId, 50, 2)).toBe(true);
    expect(await setRefill(accountId, 101, 1)).toBe(false);
    await database.functions.release([await hold(accountId, 60)]);
    expect(await listForRefill(accountId)).toEqual([]);
    for (const credits of [51, 5]) await spend(accountId, credits);
    expect(await listForRefill(accountId)).toEqual([49]);
    await database.functions.grant(accountId, randomUUID(), 6);
    await spend(accountId, 1);
    expect(await listForRefill(accountId)).toEqual([49, 49]);
    expect(await setRefill(accountId, 60, 3)).toBe(true);
    expect(await listForRefill(accountId)).toEqual([49, 49, 49]);
    expect(await setRefill(accountId, null, 4)).toBe(true);
    await spend(accountId, 40);
    expect(await listForRefill(accountId)).toHaveLength(3);
  });
});
