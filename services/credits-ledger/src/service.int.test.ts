import { randomUUID } from 'node:crypto';
import { creditsLedger, identity, type RequestOf } from '@tds/contracts';
import { testContext } from '@tds/service-kit/testing';
import { eventually } from '@tds/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLedger, type TestLedger } from './test-support/start-ledger.ts';

const BUY_URL = 'https://shop.example/credits';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger({ BUY_URL }, { now: () => new Date('2027-01-20T23:00:00Z') });
});
afterAll(async () => {
  expect(await ledger.database.findings()).toEqual([]);
  await ledger.stop();
});

type Given = Partial<RequestOf<typeof creditsLedger.reserveCredits>>;
const newReservation = (given: Given = {}) => ({
  accountId: randomUUID(),
  ref: randomUUID(),
  amount: 1,
  keyId: randomUUID(),
  requestId: randomUUID(),
  reason: 'transcript',
  ...given,
});
const reserve = (given: Given) =>
  ledger.call(creditsLedger.reserveCredits, newReservation(given), testContext());
const settle = (ref: string) => ledger.call(creditsLedger.settleReservation, { ref }, testContext());
const release = (ref: string) => ledger.call(creditsLedger.releaseReservation, { ref }, testContext());
const balanceOf = (accountId: string) => ledger.call(creditsLedger.getBalance, { accountId }, testContext());
const projected = (accountId: string) =>
  ledger.identityKit.projections.read(creditsLedger.balance, [accountId]);

describe('over the bus', () => {
  it('a reservation is held, charged once, and both are written down with who asked for it', async () => {
    const request = newReservation({ amount: 7 });
    const { accountId, ref } = request;
    const context = testContext();
    expect(await ledger.call(creditsLedger.reserveCredits, request, context)).toMatchObject({
      outcome: 'reserved',
      free: 93,
      reserved: 7,
    });
    expect(await ledger.call(creditsLedger.settleReservation, { ref }, context)).toMatchObject({
      outcome: 'settled',
      balance: { accountId, free: 93, purchased: 0, reserved: 0, version: 3 },
    });
    expect(await release(ref)).toMatchObject({ outcome: 'settled', balance: { free: 93, version: 3 } });
    const { rows } = await ledger.database.admin.query(
      'SELECT kind, reason, key_id, request_id FROM entries WHERE account_id = $1 AND version > 1 ORDER BY version',
      [accountId],
    );
    expect(rows).toEqual([
      { kind: 'reserve', reason: 'transcript', key_id: request.keyId, request_id: request.requestId },
      { kind: 'settle', reason: 'transcript', key_id: request.keyId, request_id: request.requestId },
    ]);
  });

  it('a balance that is short is 402 with what is missing and where to buy it', async () => {
    const accountId = randomUUID();
    await reserve({ accountId, amount: 99 });
    await expect(reserve({ accountId, amount: 20 })).rejects.toMatchObject({
      code: 'insufficient_credits',
      status: 402,
      data: { extras: { required: 20, available: 1, shortfall: 19, buy_url: BUY_URL } },
    });
  });

  it('a reserve that comes after its release says so and holds nothing', async () => {
    const [accountId, ref] = [randomUUID(), randomUUID()];
    expect(await release(ref)).toEqual({ outcome: 'unknown', balance: null });
    expect(await reserve({ accountId, ref })).toMatchObject({ outcome: 'released', free: 100, reserved: 0 });
    expect(await settle(ref)).toEqual({ outcome: 'released', balance: null });
  });

  it('a settle of what nobody reserved is unknown', async () => {
    expect(await settle(randomUUID())).toEqual({ outcome: 'unknown', balance: null });
  });

  it('a ref of another operation is an error of the caller, and shows nothing of the other account', async () => {
    const ref = randomUUID();
    await reserve({ ref });
    await expect(reserve({ ref })).rejects.toMatchObject({ code: 'unexpected_error' });
  });

  it('an item that Postgres cannot take fails alone, not with those beside it', async () => {
    const refs = ['a\u0000b', ...Array.from({ length: 20 }, () => randomUUID())];
    const [bad, ...good] = await Promise.allSettled(refs.map((ref) => reserve({ ref })));
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'unexpected_error' } });
    expect(good.every(({ status }) => status === 'fulfilled')).toBe(true);
  });

  it('a key at its daily cap is 429 until 00:00 UTC, and nothing is held', async () => {
    const given = { accountId: randomUUID(), keyId: randomUUID(), dailyCreditCap: 1 };
    await reserve(given);
    await expect(reserve(given)).rejects.toMatchObject({
      code: 'daily_credit_cap',
      status: 429,
      data: { retryable: false, retryAfterSeconds: 3_600 },
    });
    expect(await balanceOf(given.accountId)).toMatchObject({ free: 99, reserved: 1 });
  });

  it('a hundred requests at once charge exactly what fits', async () => {
    const accountId = randomUUID();
    const answers = await Promise.allSettled(
      Array.from({ length: 100 }, () => reserve({ accountId, amount: 3 })),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(33);
    expect(await balanceOf(accountId)).toMatchObject({ free: 1, reserved: 99 });
  });

  it('an account that stays locked is 503 with Retry-After, while others are served', async () => {
    const [locked, other] = [randomUUID(), randomUUID()];
    await balanceOf(locked);
    const holder = await ledger.database.admin.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM accounts WHERE account_id = $1 FOR UPDATE', [locked]);
      const refused = expect(reserve({ accountId: locked })).rejects.toMatchObject({
        code: 'service_unavailable',
        status: 503,
        data: { retryAfterSeconds: 1 },
      });
      expect(await reserve({ accountId: other })).toMatchObject({ free: 99 });
      await refused;
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    expect(await balanceOf(locked)).toMatchObject({ free: 100, reserved: 0, version: 1 });
  });
});

describe('what others learn without asking', () => {
  it('the projection has the balance when a release is answered, and soon after a reserve or a settlement', async () => {
    const accountId = randomUUID();
    const [ref, kept] = [randomUUID(), randomUUID()];
    const { outcome: _, ...reserved } = await reserve({ accountId, ref, amount: 4 });
    await eventually(async () => expect(await projected(accountId)).toEqual(reserved));
    const { balance: released } = await release(ref);
    expect(await projected(accountId)).toEqual(released);
    await reserve({ accountId, ref: kept });
    const { balance: settled } = await settle(kept);
    await eventually(async () => expect(await projected(accountId)).toEqual(settled));
  });

  it('the first credits of a month are announced by an event', async () => {
    const accountId = randomUUID();
    const { month } = await balanceOf(accountId);
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
  it('a new account is opened once with its free credits, however often its event is delivered', async () => {
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

  it('a new key is its account`s: no other can reserve in its name, alone or among others', async () => {
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
    expect(await balanceOf(stranger)).toMatchObject({ free: 99, reserved: 1 });
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
