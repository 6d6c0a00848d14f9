import assert from 'node:assert/strict';
import { creditsLedger, newId, purchaseRef, type RequestOf } from '@tds/contracts';
import { type Ledger, newReservation } from './ledger-under-test.ts';

type Purchase = RequestOf<typeof creditsLedger.grantPurchases>['purchases'][number];

const newPurchase = (accountId: string, amount: number): Purchase => ({
  accountId,
  amount,
  ref: purchaseRef(newId()),
});
const HOUR_MS = 3_600_000;

/** Purchases, called as billing calls them. */
const blocksOf = ({ call, ...ledger }: Ledger) => ({
  ...ledger,
  buy: async (...purchases: Purchase[]) => (await call(creditsLedger.grantPurchases, { purchases })).outcomes,
  takeBack: async ({ accountId, ref }: Purchase) =>
    (await call(creditsLedger.takeBackBlock, { accountId, ref })).outcome,
  correct: async ({ accountId, ref }: Purchase, net: number) =>
    (await call(creditsLedger.correctBlock, { accountId, ref, net, reason: 'dispute' })).outcome,
  find: async (...purchases: Purchase[]) => {
    const { rows } = await call(creditsLedger.lookUpGrants, { refs: purchases.map(({ ref }) => ref) });
    const found = new Map(rows.map(({ ref, amount, net, left }) => [ref, [amount, net, left]]));
    return purchases.map(({ ref }) => found.get(ref) ?? null);
  },
  isClosed: async ({ ref }: Purchase) =>
    (await call(creditsLedger.lookUpGrants, { refs: [ref] })).rows[0]?.isClosed,
  /** All blocks granted in the last hour, in pages. */
  list: async (olderThanMs: number) => {
    const all: string[] = [];
    for (let after = null as { accountId: string; ref: string; grantedAt: string } | null; ; ) {
      const asked = { olderThanMs, youngerThanMs: HOUR_MS, after, limit: 2 };
      const { rows } = await call(creditsLedger.listGrants, asked);
      all.push(...rows.map(({ ref }) => ref));
      after = rows.at(-1) ?? null;
      if (after === null) return all;
    }
  },
  spent: async (accountId: string) => (await call(creditsLedger.getSpending, { accountId })).spent,
  /** Charges credits: free ones first. */
  spend: async (accountId: string, credits: number) => {
    await ledger.charge({ ...newReservation(), accountId, unit: credits, items: [1] });
  },
});

export const blockPromises: Record<string, (ledger: Ledger) => Promise<void>> = {
  'grants a purchase once, and pays debt with it': async (ledger) => {
    const { buy, spend, find, balance } = blocksOf(ledger);
    const { accountId } = newReservation();
    await spend(accountId, 120);
    const purchase = newPurchase(accountId, 50);
    for (const _time of [1, 2]) assert.deepEqual(await buy(purchase), ['granted']);
    assert.deepEqual(await balance(accountId), { free: 0, purchased: 30, reserved: 0, debt: 0 });
    assert.deepEqual(await find(purchase), [[50, 50, 30]]);
  },
  'rejects a purchase under a ref of another one, and grants the others of its batch': async (ledger) => {
    const { buy, find } = blocksOf(ledger);
    const purchase = newPurchase(newReservation().accountId, 50);
    await buy(purchase);
    const { accountId } = newReservation();
    const together = [{ ...purchase, amount: 20 }, newPurchase(accountId, 20), { ...purchase, accountId }];
    assert.deepEqual(await buy(...together), ['conflict', 'granted', 'conflict']);
    assert.deepEqual(await find(purchase), [[50, 50, 50]]);
  },
  'gives a closed account nothing': async (ledger) => {
    const { buy, find, close, balance, isClosed } = blocksOf(ledger);
    const [before, after] = [1, 2].map(() => newPurchase('', 20)) as [Purchase, Purchase];
    const { accountId } = newReservation();
    await buy({ ...before, accountId });
    assert.equal(await isClosed(before), false);
    await close(accountId);
    assert.equal(await isClosed(before), true);
    assert.deepEqual(await buy({ ...after, accountId }, { ...before, accountId }), ['closed', 'granted']);
    assert.deepEqual(await find(before, after), [[20, 20, 20], null]);
    assert.equal((await balance(accountId)).purchased, 20);
  },
  'takes a block back once, while no part of it is spent or held': async (ledger) => {
    const { buy, takeBack, find, reserve, resolve, balance } = blocksOf(ledger);
    const reservation = { ...newReservation(), unit: 110, items: [1] };
    const purchase = newPurchase(reservation.accountId, 20);
    assert.equal(await takeBack(purchase), 'unknown');
    await buy(purchase);
    assert.equal(await takeBack({ ...purchase, accountId: newReservation().accountId }), 'unknown');
    await reserve(reservation);
    assert.equal(await takeBack(purchase), 'used');
    await resolve(reservation.ref, [], [1]);
    for (const _time of [1, 2]) assert.equal(await takeBack(purchase), 'taken');
    assert.deepEqual(await find(purchase), [[20, 0, 0]]);
    assert.deepEqual(await balance(reservation.accountId), { free: 100, purchased: 0, reserved: 0, debt: 0 });
  },
  'takes no block back from an account in debt, nor a reduced block': async (ledger) => {
    const { buy, spend, takeBack, correct } = blocksOf(ledger);
    const { accountId } = newReservation();
    const [first, second] = [newPurchase(accountId, 20), newPurchase(accountId, 20)];
    for (const purchase of [first, second]) await buy(purchase);
    await correct(second, 10);
    assert.equal(await takeBack(second), 'used');
    await spend(accountId, 200);
    assert.equal(await takeBack(first), 'in_debt');
  },
  'counts the remaining credits to the newest block': async (ledger) => {
    const { buy, spend, find, takeBack } = blocksOf(ledger);
    const { accountId } = newReservation();
    const [old, young] = [newPurchase(accountId, 20), newPurchase(accountId, 50)];
    for (const purchase of [old, young]) await buy(purchase);
    await spend(accountId, 115);
    assert.deepEqual(await find(old, young), [
      [20, 20, 5],
      [50, 50, 50],
    ]);
    assert.equal(await takeBack(old), 'used');
    assert.equal(await takeBack(young), 'taken');
    assert.deepEqual(await find(old, young), [
      [20, 20, 5],
      [50, 0, 0],
    ]);
  },
  'corrects a block to a state: into debt if it was spent, and out of it again': async (ledger) => {
    const { buy, spend, correct, find, balance } = blocksOf(ledger);
    const { accountId } = newReservation();
    const purchase = newPurchase(accountId, 20);
    assert.equal(await correct(purchase, 0), 'unknown');
    await buy(purchase);
    await spend(accountId, 115);
    for (const _time of [1, 2]) assert.equal(await correct(purchase, 0), 'corrected');
    assert.deepEqual(await balance(accountId), { free: 0, purchased: 0, reserved: 0, debt: 15 });
    await correct(purchase, 20);
    assert.deepEqual(await find(purchase), [[20, 20, 5]]);
    assert.deepEqual(await balance(accountId), { free: 0, purchased: 5, reserved: 0, debt: 0 });
  },
  'lists blocks by age, in the order of their grants': async (ledger) => {
    const { buy, list } = blocksOf(ledger);
    const bought = Array.from({ length: 5 }, () => newPurchase(newReservation().accountId, 20));
    for (const purchase of bought) await buy(purchase);
    const refs = bought.map(({ ref }) => ref);
    assert.deepEqual(
      (await list(0)).filter((ref) => refs.includes(ref)),
      refs,
    );
    assert.deepEqual(
      (await list(HOUR_MS / 2)).filter((ref) => refs.includes(ref)),
      [],
    );
  },
  'returns the cost of deliveries, and nothing else': async (ledger) => {
    const { buy, spent, reserve, resolve } = blocksOf(ledger);
    const reservation = { ...newReservation(), keyId: newId() };
    assert.equal(await spent(reservation.accountId), 0);
    await buy(newPurchase(reservation.accountId, 20));
    await reserve(reservation);
    assert.equal(await spent(reservation.accountId), 0);
    await resolve(reservation.ref, [1, 2], [3]);
    assert.equal(await spent(reservation.accountId), 20);
  },
};
