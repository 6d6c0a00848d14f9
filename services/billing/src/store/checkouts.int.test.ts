import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHECKOUT_MS, OPENING_MS } from '../domain/checkout.ts';
import {
  after,
  NOW,
  newPurchase,
  ofStranger,
  startTables,
  type Tables,
} from '../test-support/stored-purchases.ts';
import {
  countCheckout,
  expireOld,
  findOpen,
  findRepeated,
  insertOpening,
  markExpired,
  markOpen,
} from './checkouts.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const newPage = () => ({ sessionId: `cs_${randomUUID()}`, pageUrl: 'https://pay.example/page' });
const opened = async (given: object = {}) => {
  const purchase = newPurchase(given);
  expect(await insertOpening(tables.db, purchase)).toBe(true);
  await markOpen(tables.db, purchase.id, newPage());
  return purchase;
};
const readState = async (id: string) => (await tables.find(id)).state;

describe('an account', () => {
  it('opens one page of many that it requests at once', async () => {
    const accountId = randomUUID();
    const requests = Array.from({ length: 8 }, () => insertOpening(tables.db, newPurchase({ accountId })));
    expect((await Promise.all(requests)).filter(Boolean)).toHaveLength(1);
  });

  it('has one open page: another one waits until it is expired', async () => {
    const accountId = randomUUID();
    const { id } = await opened({ accountId });
    const next = newPurchase({ accountId, block: 50 });
    expect(await insertOpening(tables.db, next)).toBe(false);
    expect((await findOpen(tables.db, accountId))?.id).toBe(id);
    await markExpired(tables.db, id, NOW);
    expect(await findOpen(tables.db, accountId)).toBeNull();
    expect(await insertOpening(tables.db, next)).toBe(true);
  });

  it('may open the next page when the time of the last one is over, which expires that one', async () => {
    const { id, accountId, expiresAt } = await opened();
    const at = (ms: number) => newPurchase({ accountId, createdAt: new Date(expiresAt.getTime() + ms) });
    expect(await insertOpening(tables.db, at(-1))).toBe(false);
    expect(await insertOpening(tables.db, at(0))).toBe(true);
    expect(await readState(id)).toBe('expired');
  });

  it('never expires a payment on its way, or a paid purchase, by opening a page', async () => {
    const accountId = randomUUID();
    const old = { accountId, expiresAt: after(-CHECKOUT_MS) };
    const [processing, paid] = [await tables.insert({ ...old, state: 'processing' }), await tables.paid(old)];
    await insertOpening(tables.db, newPurchase({ accountId }));
    expect([await readState(processing.id), await readState(paid.id)]).toEqual(['processing', 'paid']);
  });

  it('never expires the page of another account', async () => {
    const other = await opened({ expiresAt: after(-1) });
    await insertOpening(tables.db, newPurchase());
    expect(await readState(other.id)).toBe('open');
  });
});

describe('strangers', () => {
  it('open any number of pages for one address', async () => {
    const stranger = ofStranger();
    const requests = Array.from({ length: 4 }, () => insertOpening(tables.db, newPurchase(stranger)));
    expect(await Promise.all(requests)).toEqual([true, true, true, true]);
  });

  it('open one page with one key and block, and another one with another block', async () => {
    const repeated = { ...ofStranger(), idempotencyKey: randomUUID() };
    const requests = Array.from({ length: 4 }, () => insertOpening(tables.db, newPurchase(repeated)));
    expect((await Promise.all(requests)).filter(Boolean)).toHaveLength(1);
    expect(await insertOpening(tables.db, newPurchase({ ...repeated, block: 50 }))).toBe(true);
  });
});

describe('a repeated key', () => {
  it('finds the page that it began, even after that is paid or expired', async () => {
    const idempotencyKey = randomUUID();
    const { id, accountId } = await opened({ idempotencyKey });
    const found = async () =>
      (await findRepeated(tables.db, { accountId, email: null, block: 20 }, idempotencyKey))?.id;
    expect(await found()).toBe(id);
    await markExpired(tables.db, id, NOW);
    expect(await found()).toBe(id);
  });

  it('is free again if its page never opened', async () => {
    const purchase = newPurchase({ idempotencyKey: randomUUID() });
    await insertOpening(tables.db, purchase);
    const repeated = () => findRepeated(tables.db, purchase, purchase.idempotencyKey ?? '');
    expect((await repeated())?.id).toBe(purchase.id);
    await markExpired(tables.db, purchase.id, NOW);
    expect(await repeated()).toBeNull();
    expect(await insertOpening(tables.db, { ...purchase, id: randomUUID() })).toBe(true);
  });

  it('of an account finds its page also for another block, which is then an error', async () => {
    const purchase = await opened({ idempotencyKey: randomUUID() });
    const found = await findRepeated(tables.db, { ...purchase, block: 50 }, purchase.idempotencyKey ?? '');
    expect(found?.block).toBe(20);
  });

  it('finds nothing of another account, of another address, or of another block of a stranger', async () => {
    const idempotencyKey = randomUUID();
    const own = await opened({ idempotencyKey });
    const strange = await opened({ ...ofStranger(), idempotencyKey });
    for (const other of [
      { ...own, accountId: randomUUID() },
      { ...strange, email: 'else@example.com' },
      { ...strange, block: 50 as const },
    ])
      expect(await findRepeated(tables.db, other, idempotencyKey)).toBeNull();
  });
});

describe('a page', () => {
  it('that opens after it was expired stays expired', async () => {
    const purchase = newPurchase();
    await insertOpening(tables.db, purchase);
    await markExpired(tables.db, purchase.id, NOW);
    await markOpen(tables.db, purchase.id, newPage());
    expect(await tables.find(purchase.id)).toMatchObject({ state: 'expired', pageUrl: null });
  });

  it('that is paid is never expired', async () => {
    const { id } = await tables.paid({ expiresAt: after(-CHECKOUT_MS) });
    await markExpired(tables.db, id, NOW);
    await expireOld(tables.db, NOW);
    expect(await readState(id)).toBe('paid');
  });

  it('is expired by the schedule when its time is over, to the millisecond', async () => {
    const [over, running] = [await opened({ expiresAt: NOW }), await opened({ expiresAt: after(1) })];
    await expireOld(tables.db, NOW);
    expect([await readState(over.id), await readState(running.id)]).toEqual(['expired', 'open']);
  });

  it('that a dead process left opening is expired after a minute, long before its time', async () => {
    const [dead, alive] = [
      newPurchase({ createdAt: after(-OPENING_MS) }),
      newPurchase({ createdAt: after(-OPENING_MS + 1) }),
    ];
    for (const purchase of [dead, alive]) await insertOpening(tables.db, purchase);
    await expireOld(tables.db, NOW);
    expect([await readState(dead.id), await readState(alive.id)]).toEqual(['expired', 'opening']);
  });

  it('is expired once: the schedule counts it in one run only', async () => {
    await expireOld(tables.db, NOW);
    await opened({ expiresAt: NOW });
    const counts = await Promise.all([expireOld(tables.db, NOW), expireOld(tables.db, NOW)]);
    expect(counts.toSorted()).toEqual([0, 1]);
  });
});

describe('the checkouts of an hour', () => {
  it('are allowed up to their number, also at once, and the others hear when the hour ends', async () => {
    const caller = randomUUID();
    const counted = await Promise.all(
      Array.from({ length: 8 }, () => countCheckout(tables.db, caller, 5, NOW)),
    );
    expect(counted.filter((opensAt) => opensAt === null)).toHaveLength(5);
    expect(counted.filter((opensAt) => opensAt !== null)).toEqual(
      Array.from({ length: 3 }, () => after(3_600_000)),
    );
  });

  it('begin again an hour after the first one, and rejected ones do not prolong the wait', async () => {
    const caller = randomUUID();
    const allowed = async (ms: number) => (await countCheckout(tables.db, caller, 1, after(ms))) === null;
    const answers: boolean[] = [];
    for (const ms of [0, 1_800_000, 3_599_999, 3_600_000, 3_600_001]) answers.push(await allowed(ms));
    expect(answers).toEqual([true, false, false, true, false]);
  });

  it('are counted for each caller apart', async () => {
    for (const caller of [randomUUID(), randomUUID()])
      expect(await countCheckout(tables.db, caller, 1, NOW)).toBeNull();
  });

  it('stay countable for a caller that retries without end', async () => {
    const caller = randomUUID();
    for (let times = 0; times < 20; times += 1) await countCheckout(tables.db, caller, 2, NOW);
    const { checkouts } = await tables.db.checkoutWindow.findUniqueOrThrow({ where: { caller } });
    expect(checkouts).toBe(3);
  });
});
