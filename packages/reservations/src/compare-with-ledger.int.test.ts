import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { creditsLedger, newId } from '@tds/contracts';
import { createCaller, startHarness, testContext } from '@tds/kit/testing';
import { compareWithLedger, type Delivery, type ReservationOwner } from './compare-with-ledger.ts';
import { type FakeLedger, fakeLedger } from './test-support/index.ts';

let ledger: FakeLedger;
let call: ReturnType<typeof createCaller>['call'];
let stop: () => Promise<void>;
beforeAll(async () => {
  const harness = await startHarness({ databases: {} });
  ledger = fakeLedger();
  const caller = createCaller(creditsLedger);
  for (const service of [ledger.service, caller.service]) await harness.start(service);
  call = caller.call;
  stop = () => harness.stop();
});
afterAll(() => stop?.());

const log = { warn: () => {} } as unknown as ReservationOwner['log'];
let delivered: Delivery[];
let working: Set<string>;
let uncollected: string[];
let asked: (string | null)[];
beforeEach(() => {
  [delivered, working, uncollected, asked] = [[], new Set(), [], []];
});

const owner = (reason: string): ReservationOwner => ({
  call: call as ReservationOwner['call'],
  log,
  reason,
  orphanedAfterMs: 0,
  resolveHeld: async (held) =>
    held.flatMap(({ ref, held: items }) => (working.has(ref) ? [] : [{ ref, charge: [], release: items }])),
  listDeliveries: async (after) => {
    asked.push(after);
    return delivered.filter(({ cursor }) => cursor > (after ?? '')).slice(0, 2);
  },
  markUncollected: async ({ charge }) => void uncollected.push(charge.ref),
});

const accountId = randomUUID();
const newReservation = (reason: string, items = [1, 2]) => ({
  accountId,
  ref: newId(),
  keyId: null,
  requestId: 'r',
  reason,
  unit: 1,
  items,
});
const reserve = (reservation: ReturnType<typeof newReservation>) =>
  call(creditsLedger.reserveItems, { ...reservation, coverage: 'all' }, testContext());
const deliver = async (reason: string) => {
  const charge = newReservation(reason);
  await reserve(charge);
  await call(creditsLedger.resolveItems, { ref: charge.ref, charge: charge.items, release: [] }, testContext());
  delivered.push({ cursor: charge.ref, charge });
  return charge.ref;
};

describe('the comparison of an owner with the ledger', () => {
  it('releases credits held for unknown work, on every page, and nothing else', async () => {
    const reservations = Array.from({ length: 5 }, () => newReservation('a'));
    for (const reservation of reservations) await reserve(reservation);
    working.add(reservations[1]!.ref);
    await compareWithLedger()(owner('a'), testContext());
    expect(reservations.map(({ ref }) => ledger.held(ref))).toEqual([[], [1, 2], [], [], []]);
  });

  it('charges lost items once, but no charged, refunded or released ones', async () => {
    const copy = ledger.copy();
    const [lost, kept] = [await deliver('b'), await deliver('b')];
    const paid = { ref: kept, items: [1] };
    ledger.putBack(copy);
    await call(creditsLedger.chargeItems, { ...delivered[1]!.charge, items: [1, 2] }, testContext());
    await call(creditsLedger.refundItems, paid, testContext());
    const given = newReservation('b', [1]);
    await call(creditsLedger.resolveItems, { ref: given.ref, charge: [], release: [1] }, testContext());
    delivered.push({ cursor: given.ref, charge: given });
    for (const _ of [1, 2]) await compareWithLedger()(owner('b'), testContext());
    expect([lost, kept, given.ref].map((ref) => ledger.paid(ref))).toEqual([2, 1, 0]);
  });

  it('continues at its last page, and starts over if the database of the ledger was replaced', async () => {
    const compare = compareWithLedger();
    const copy = ledger.copy();
    const refs = [await deliver('c'), await deliver('c'), await deliver('c')];
    await compare(owner('c'), testContext());
    asked = [];
    await compare(owner('c'), testContext());
    expect(asked).toEqual([refs[2]]);
    ledger.putBack(copy);
    expect(refs.map((ref) => ledger.paid(ref))).toEqual([0, 0, 0]);
    await compare(owner('c'), testContext());
    expect(refs.map((ref) => ledger.paid(ref))).toEqual([2, 2, 2]);
  });

  it('marks charges that are no longer possible, and waits for a ledger that is away', async () => {
    const copy = ledger.copy();
    const ref = await deliver('d');
    ledger.putBack(copy);
    const compare = compareWithLedger();
    ledger.fail('chargeItems', 'service_unavailable');
    await expect(compare(owner('d'), testContext())).rejects.toThrow();
    expect(uncollected).toEqual([]);
    ledger.fail('chargeItems', 'account_closed');
    await compare(owner('d'), testContext());
    expect(uncollected).toEqual([ref]);
    ledger.fail('chargeItems', null);
  });
});
