import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { newId } from '@tds/contracts';
import { blockPromises } from './block-conformance.ts';
import { type Ledger, type LedgerUnderTest, ledgerOf, newReservation } from './ledger-under-test.ts';

const promises: Record<string, (ledger: Ledger) => Promise<void>> = {
  'holds as many items as fit, in the requested order, once': async ({ reserve, grant, balance }) => {
    const reservation = { ...newReservation(), unit: 40, items: [7, 2, 9] };
    const held = await reserve(reservation);
    assert.deepEqual([held.held, held.why, held.free, held.reserved], [[7, 2], 'insufficient_credits', 20, 80]);
    await grant(reservation.accountId, 40);
    const again = await reserve(reservation);
    assert.deepEqual([again.held, again.why], [[7, 2], 'insufficient_credits']);
    assert.deepEqual(await balance(reservation.accountId), {
      free: 20,
      purchased: 40,
      reserved: 80,
      debt: 0,
    });
  },
  'holds all items within the cap of the key, or none, if all must be covered': async ({
    reserve,
    grant,
    lookUp,
  }) => {
    const all = { ...newReservation(), unit: 40, coverage: 'all' as const, keyId: randomUUID() };
    const short = await reserve(all);
    assert.deepEqual([short.held, short.why, short.free], [[], 'insufficient_credits', 100]);
    assert.deepEqual(await lookUp(all.ref), []);
    const capped = await reserve({ ...all, ref: newId(), dailyCreditCap: 80 });
    assert.deepEqual([capped.held, capped.why, capped.free], [[1, 2], 'daily_credit_cap', 20]);
    await grant(all.accountId, 100);
    const covered = await reserve(all);
    assert.deepEqual([covered.held, covered.why, covered.reserved], [[1, 2, 3], null, 200]);
  },
  'leaves no trace of a reserve without room': async ({ reserve, grant, lookUp }) => {
    const reservation = { ...newReservation(), unit: 101, items: [1] };
    assert.deepEqual((await reserve(reservation)).held, []);
    assert.deepEqual(await lookUp(reservation.ref), []);
    await grant(reservation.accountId, 1);
    assert.deepEqual((await reserve(reservation)).held, [1]);
  },
  'counts held credits of keys towards their cap, but not released ones': async ({ reserve, resolve }) => {
    const reservation = { ...newReservation(), keyId: randomUUID(), dailyCreditCap: 25 };
    const held = await reserve(reservation);
    assert.deepEqual([held.held, held.why, held.capLeft], [[1, 2], 'daily_credit_cap', 5]);
    const next = { ...reservation, ref: newId() };
    const refused = await reserve(next);
    assert.deepEqual([refused.held, refused.why, refused.capLeft], [[], 'daily_credit_cap', 5]);
    await resolve(reservation.ref, [1], [2]);
    assert.deepEqual((await reserve(next)).held, [1]);
  },
  'charges or releases each item once, whichever comes first': async ({ reserve, resolve, balance }) => {
    const reservation = newReservation();
    await reserve(reservation);
    const first = await resolve(reservation.ref, [1], [2]);
    assert.deepEqual([first.charged, first.held], [[1], [3]]);
    const second = await resolve(reservation.ref, [2, 3], [1]);
    assert.deepEqual([second.charged, second.held], [[1, 3], []]);
    assert.deepEqual(await balance(reservation.accountId), { free: 80, purchased: 0, reserved: 0, debt: 0 });
    assert.deepEqual((await reserve(reservation)).held, [1, 3]);
  },
  'charges nothing under an unknown ref': async ({ resolve, lookUp }) => {
    const ref = newId();
    assert.deepEqual(await resolve(ref, [1], []), { charged: [], held: [], balance: null });
    assert.deepEqual(await lookUp(ref), []);
  },
  'does not hold items that were released before their reserve': async ({ reserve, resolve, lookUp }) => {
    const reservation = newReservation();
    await resolve(reservation.ref, [], [2]);
    const late = await reserve(reservation);
    assert.deepEqual([late.held, late.why, late.reserved], [[1, 3], null, 20]);
    const [found] = await lookUp(reservation.ref);
    assert.deepEqual([found?.held, found?.released], [[1, 3], [2]]);
  },
  'releases purchased credits before free ones, and charges free ones first': async ({
    reserve,
    resolve,
    grant,
    balance,
  }) => {
    const reservation = { ...newReservation(), unit: 50 };
    await grant(reservation.accountId, 50);
    await reserve(reservation);
    await resolve(reservation.ref, [], [3]);
    assert.deepEqual(await balance(reservation.accountId), {
      free: 0,
      purchased: 50,
      reserved: 100,
      debt: 0,
    });
    await resolve(reservation.ref, [1], [2]);
    assert.deepEqual(await balance(reservation.accountId), { free: 50, purchased: 50, reserved: 0, debt: 0 });
  },
  'charges delivered items that are not held, once, into debt, and never released ones': async ({
    charge,
    reserve,
    resolve,
    balance,
  }) => {
    const reservation = { ...newReservation(), unit: 60 };
    await resolve(reservation.ref, [], [3]);
    assert.deepEqual((await charge(reservation)).charged, [1, 2]);
    assert.deepEqual((await charge(reservation)).charged, [1, 2]);
    assert.deepEqual(await balance(reservation.accountId), { free: 0, purchased: 0, reserved: 0, debt: 20 });
    assert.deepEqual((await reserve(reservation)).held, [1, 2]);
  },
  'refunds each charged item once, as purchased credits': async ({ reserve, resolve, refund, balance }) => {
    const reservation = newReservation();
    assert.deepEqual(await refund(reservation.ref, [1]), { outcome: 'unknown', refunded: [] });
    await reserve(reservation);
    await resolve(reservation.ref, [1, 2], [3]);
    for (const _ of [1, 2])
      assert.deepEqual(await refund(reservation.ref, [2, 3]), { outcome: 'granted', refunded: [2] });
    assert.deepEqual(await balance(reservation.accountId), { free: 80, purchased: 10, reserved: 0, debt: 0 });
  },
  'returns the paid and held items of a job over all its reservations': async ({
    reserve,
    resolve,
    refund,
    job,
  }) => {
    const first = newReservation();
    const second = { ...first, ref: newId(), items: [4, 5] };
    for (const reservation of [first, second]) await reserve(reservation);
    await resolve(first.ref, [1, 2], [3]);
    await refund(first.ref, [1]);
    await resolve(second.ref, [5], []);
    assert.deepEqual(await job(first.accountId, first.jobId), {
      charged: [2, 5],
      held: [{ ref: second.ref, items: [4] }],
    });
  },
};

/** The promises of every ledger, real or fake: a title and a test for each. */
export const ledgerConformance = Object.entries({ ...promises, ...blockPromises }).map(([title, run]) => ({
  title,
  run: (ledger: LedgerUnderTest) => run(ledgerOf(ledger)),
}));
