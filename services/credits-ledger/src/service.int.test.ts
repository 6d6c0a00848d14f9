import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readProjection } from '@tds/base/testing';
import { creditsLedger, identity, type RequestOf } from '@tds/contracts';
import { eventually } from '@tds/test-kit';
import { newReserve } from './test-support/requests.ts';
import { startLedger, type TestLedger } from './test-support/start-ledger.ts';

const BUY_URL = 'https://shop.example/credits';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger({ BUY_URL });
});
afterAll(async () => {
  expect(await ledger.database.findings()).toEqual([]);
  await ledger.stop();
});

const reserve = (given: Partial<RequestOf<typeof creditsLedger.reserveItems>> = {}) =>
  ledger.requests.reserve(given);
const charge = (ref: string) => ledger.requests.charge(ref);
const release = (ref: string) => ledger.requests.release(ref);
const readBalance = (accountId: string) => ledger.requests.readBalance(accountId);
const projected = (accountId: string) =>
  readProjection(ledger.identityKit.redis, creditsLedger.balance, [accountId]);

describe('over the bus', () => {
  it('a reservation is held and charged once; both entries name their author', async () => {
    const request = newReserve({ unit: 7 });
    const { accountId, ref } = request;
    expect(await reserve(request)).toMatchObject({ held: [1], why: null, free: 93, reserved: 7 });
    expect(await charge(ref)).toMatchObject({
      charged: [1],
      balance: { accountId, free: 93, purchased: 0, reserved: 0, version: 3 },
    });
    expect(await release(ref)).toMatchObject({ charged: [1], balance: { free: 93, version: 3 } });
    const { rows } = await ledger.database.admin.query(
      'SELECT kind, reason, key_id, request_id FROM entries WHERE account_id = $1 AND version > 1 ORDER BY version',
      [accountId],
    );
    expect(rows).toEqual([
      { kind: 'reserve', reason: 'transcript', key_id: request.keyId, request_id: request.requestId },
      { kind: 'settle', reason: 'transcript', key_id: request.keyId, request_id: request.requestId },
    ]);
  });

  it('a reserve above the balance holds nothing and returns the balance and where to buy more', async () => {
    const accountId = randomUUID();
    await reserve({ accountId, unit: 99 });
    const short = { held: [], why: 'insufficient_credits', free: 1, reserved: 99, buyUrl: BUY_URL };
    expect(await reserve({ accountId, unit: 20 })).toMatchObject(short);
  });

  it('a reserve above the balance is held in part or not at all, as requested', async () => {
    const wish = { accountId: randomUUID(), unit: 40, items: [3, 1, 2] };
    const why = 'insufficient_credits';
    expect(await reserve({ ...wish, coverage: 'all' })).toMatchObject({ held: [], why, free: 100 });
    expect(await reserve({ ...wish, coverage: 'some' })).toMatchObject({ held: [3, 1], why, free: 20 });
  });

  it('a reserve after its release holds nothing', async () => {
    const [accountId, ref] = [randomUUID(), randomUUID()];
    expect(await release(ref)).toEqual({ charged: [], held: [], balance: null });
    expect(await reserve({ accountId, ref })).toMatchObject({ held: [], why: null, free: 100, reserved: 0 });
    expect(await charge(ref)).toEqual({ charged: [], held: [], balance: null });
  });

  it('a charge without a reservation charges nothing', async () => {
    expect(await charge(randomUUID())).toEqual({ charged: [], held: [], balance: null });
  });

  it('a ref of another account is an error of the caller, and reveals nothing of that account', async () => {
    const ref = randomUUID();
    await reserve({ ref });
    await expect(reserve({ ref })).rejects.toMatchObject({ code: 'unexpected_error' });
  });

  it('an item that Postgres rejects fails alone', async () => {
    const refs = ['a\u0000b', ...Array.from({ length: 20 }, () => randomUUID())];
    const [bad, ...good] = await Promise.allSettled(refs.map((ref) => reserve({ ref })));
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'unexpected_error' } });
    expect(good.every(({ status }) => status === 'fulfilled')).toBe(true);
  });

  it('a reserve at the daily cap of its key is answered as capped, and holds nothing', async () => {
    const given = { accountId: randomUUID(), keyId: randomUUID(), dailyCreditCap: 1 };
    await reserve(given);
    expect(await reserve(given)).toMatchObject({ held: [], why: 'daily_credit_cap', capLeft: 0 });
    expect(await readBalance(given.accountId)).toMatchObject({ free: 99, reserved: 1 });
  });

  it('a hundred concurrent reserves hold exactly what the balance allows', async () => {
    const accountId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 100 }, () => reserve({ accountId, unit: 3 })));
    expect(answers.filter(({ held }) => held.length === 1)).toHaveLength(33);
    expect(await readBalance(accountId)).toMatchObject({ free: 1, reserved: 99 });
  });

  it('a locked account is 503 with Retry-After, and its requests do not keep others waiting', async () => {
    const [locked, other, ref] = [randomUUID(), randomUUID(), randomUUID()];
    await reserve({ accountId: locked, ref });
    const holder = await ledger.database.admin.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM accounts WHERE account_id = $1 FOR UPDATE', [locked]);
      // Again on a machine so busy that a second is over before the others are served.
      await eventually(async () => {
        const refused: unknown[] = [];
        const asked = Array.from({ length: 30 }, (_, n) =>
          (n % 3 ? reserve({ accountId: locked }) : charge(ref)).catch((error) => refused.push(error)),
        );
        await Promise.all(Array.from({ length: 10 }, () => reserve({ accountId: other })));
        const refusedBefore = refused.length;
        await Promise.all(asked);
        const busy = { code: 'service_unavailable', status: 503, data: { retryAfterSeconds: 1 } };
        expect(refused).toHaveLength(30);
        for (const error of refused) expect(error).toMatchObject(busy);
        expect(refusedBefore).toBe(0);
      });
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    expect(await readBalance(locked)).toMatchObject({ free: 99, reserved: 1, version: 2 });
  });
});

describe('data without a command', () => {
  it('the projection has the balance when a release is answered, and soon after a reserve or a charge', async () => {
    const accountId = randomUUID();
    const [ref, kept] = [randomUUID(), randomUUID()];
    await reserve({ accountId, ref, unit: 4 });
    await eventually(async () =>
      expect(await projected(accountId)).toMatchObject({ free: 96, reserved: 4, version: 2 }),
    );
    const { balance: released } = await release(ref);
    expect(await projected(accountId)).toEqual(released);
    await reserve({ accountId, ref: kept });
    const { balance: charged } = await charge(kept);
    await eventually(async () => expect(await projected(accountId)).toEqual(charged));
  });

  it('the first credits of a month are emitted as an event', async () => {
    const accountId = randomUUID();
    const { month } = await readBalance(accountId);
    await eventually(() =>
      expect(ledger.granted).toContainEqual({ accountId, bucket: 'free', amount: 100, ref: month }),
    );
  });
});

const deliveriesTo = (
  account: string,
  event: typeof identity.accountCreated | typeof identity.accountStatusChanged,
) => ledger.handled(event).filter(({ accountId }) => accountId === account);

describe('events of identity', () => {
  it('a new account is opened once with its free credits, however often its event arrives', async () => {
    const accountId = randomUUID();
    const createdAt = new Date(Date.now() - 60_000).toISOString();
    await ledger.emit(identity.accountCreated, { accountId, createdAt });
    await eventually(async () => expect(await projected(accountId)).toMatchObject({ free: 100, version: 1 }));
    await ledger.redeliver();
    await eventually(() => expect(deliveriesTo(accountId, identity.accountCreated)).toHaveLength(2));
    const { rows } = await ledger.database.admin.query(
      'SELECT version, free, created_at FROM accounts WHERE account_id = $1',
      [accountId],
    );
    expect(rows).toEqual([{ version: 1, free: 100, created_at: new Date(createdAt) }]);
  });

  it('a new key belongs to its account: no other account reserves with it', async () => {
    const [accountId, keyId, stranger] = [randomUUID(), randomUUID(), randomUUID()];
    await ledger.emit(identity.keyCreated, { accountId, keyId });
    await eventually(async () => {
      const { rows } = await ledger.database.admin.query('SELECT FROM key_owners WHERE key_id = $1', [keyId]);
      expect(rows).toHaveLength(1);
    });
    const requests = [{ accountId: stranger, keyId }, { accountId, keyId }, { accountId: stranger }];
    const [lie, own, other] = await Promise.allSettled(requests.map((request) => reserve(request)));
    expect(lie).toMatchObject({ status: 'rejected', reason: { code: 'unexpected_error' } });
    expect(own).toMatchObject({ status: 'fulfilled', value: { free: 99, reserved: 1 } });
    expect(other).toMatchObject({ status: 'fulfilled' });
    expect(await readBalance(stranger)).toMatchObject({ free: 99, reserved: 1 });
  });

  it('a frozen or closed account spends nothing, and an older event does not undo that', async () => {
    const accountId = randomUUID();
    await ledger.emit(identity.accountStatusChanged, { accountId, status: 'frozen', version: 2 });
    await ledger.emit(identity.accountStatusChanged, { accountId, status: 'active', version: 1 });
    await eventually(() => expect(deliveriesTo(accountId, identity.accountStatusChanged)).toHaveLength(2));
    await expect(reserve({ accountId })).rejects.toMatchObject({ code: 'account_frozen', status: 403 });
    await ledger.emit(identity.accountStatusChanged, { accountId, status: 'closed', version: 3 });
    await eventually(() => expect(reserve({ accountId })).rejects.toMatchObject({ code: 'account_closed' }));
  });
});
