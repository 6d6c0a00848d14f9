import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { creditsLedger, newId } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { proven } from '@tds/test-kit';
import fc from 'fast-check';
import { BlocksModel } from '../test-support/blocks-model.ts';
import { startLedger, type TestLedger } from '../test-support/start-ledger.ts';

const FREE = 100;
let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(async () => {
  expect(await ledger.database.findings()).toEqual([]);
  await ledger.stop();
});

type BoughtBlock = { readonly accountId: string; readonly ref: string; readonly amount: number };
const buyTogether = async (purchases: BoughtBlock[]) =>
  (await ledger.call(creditsLedger.grantPurchases, { purchases }, testContext())).outcomes;
const buy = async (accountId: string, ref: string, amount: number) =>
  (await buyTogether([{ accountId, ref, amount }]))[0];
const takeBack = async (accountId: string, ref: string) =>
  (await ledger.call(creditsLedger.takeBackBlock, { accountId, ref }, testContext())).outcome;
const correct = (accountId: string, ref: string, net: number, reason: 'refund' | 'dispute' = 'dispute') =>
  ledger.call(creditsLedger.correctBlock, { accountId, ref, net, reason }, testContext());
const spend = (accountId: string, amount: number) =>
  ledger.call(
    creditsLedger.chargeItems,
    { accountId, ref: newId(), unit: amount, items: [1], keyId: null, requestId: 'r1', reason: 'transcript' },
    testContext(),
  );
const readBalance = (accountId: string) => ledger.call(creditsLedger.getBalance, { accountId }, testContext());
const readBlock = async (ref: string) => {
  const { rows } = await ledger.call(creditsLedger.lookUpGrants, { refs: [ref] }, testContext());
  return rows[0];
};
/** An account without credits. */
const newAccount = async (): Promise<string> => {
  const accountId = randomUUID();
  await spend(accountId, FREE);
  return accountId;
};
const newRef = () => `purchase:${randomUUID()}`;

describe('a purchase', () => {
  it('is granted once for any number of parallel repeats', async () => {
    const [accountId, ref] = [await newAccount(), newRef()];
    const answers = await Promise.all(Array.from({ length: 8 }, () => buy(accountId, ref, 20)));
    expect(new Set(answers)).toEqual(new Set(['granted']));
    expect(await readBalance(accountId)).toMatchObject({ purchased: 20 });
    expect(await buy(accountId, ref, 21)).toBe('conflict');
    expect(await buy(randomUUID(), ref, 20)).toBe('conflict');
  });

  it('of a closed account gives nothing; one of a frozen account stays with it', async () => {
    const [closed, frozen] = [await newAccount(), await newAccount()];
    await ledger.database.functions.setStatus(closed, 'closed', 1);
    await ledger.database.functions.setStatus(frozen, 'frozen', 1);
    expect([await buy(closed, newRef(), 5), await buy(frozen, newRef(), 5)]).toEqual(['closed', 'granted']);
    expect(await readBalance(closed)).toMatchObject({ purchased: 0 });
    expect(await readBalance(frozen)).toMatchObject({ purchased: 5 });
  });

  it('that is rejected, or waits for a locked account, does not affect others in its batch', async () => {
    const [plain, closed, locked] = [await newAccount(), await newAccount(), await newAccount()];
    const known = newRef();
    await buy(plain, known, 20);
    await ledger.database.functions.setStatus(closed, 'closed', 1);
    const other = await ledger.database.owner.connect();
    await other.query('BEGIN');
    await other.query('SELECT FROM accounts WHERE account_id = $1 FOR UPDATE', [locked]);
    const together = [
      { accountId: locked, ref: newRef(), amount: 5 },
      { accountId: closed, ref: newRef(), amount: 5 },
      { accountId: plain, ref: known, amount: 5 },
      { accountId: plain, ref: newRef(), amount: 5 },
      { accountId: randomUUID(), ref: newRef(), amount: 5 },
    ];
    const outcomes = await buyTogether(together);
    await other.query('ROLLBACK');
    other.release();
    expect(outcomes).toEqual(['busy', 'closed', 'conflict', 'granted', 'granted']);
    expect(await readBalance(plain)).toMatchObject({ purchased: 25 });
    expect(await buyTogether(together)).toEqual(['granted', 'closed', 'conflict', 'granted', 'granted']);
    expect(await readBalance(plain)).toMatchObject({ purchased: 25 });
  });

  it('is granted once by overlapping batches in any order', async () => {
    const accounts = await Promise.all(Array.from({ length: 6 }, newAccount));
    const bought = accounts.map((accountId) => ({ accountId, ref: newRef(), amount: 20 }));
    const batches = [bought, bought.toReversed(), bought.slice(2), bought.toReversed().slice(3)];
    const outcomes = await Promise.all(batches.map(buyTogether));
    expect(new Set(outcomes.flat())).toEqual(new Set(['granted']));
    for (const accountId of accounts) expect(await readBalance(accountId)).toMatchObject({ purchased: 20 });
  });
});

describe('spent credits', () => {
  it('come from the oldest purchase first', async () => {
    const accountId = await newAccount();
    const [first, second] = [newRef(), newRef()];
    await buy(accountId, first, 20);
    await buy(accountId, second, 5);
    await spend(accountId, 1);
    expect(await readBlock(first)).toMatchObject({ left: 19, net: 20 });
    expect(await readBlock(second)).toMatchObject({ left: 5 });
    expect(await takeBack(accountId, first)).toBe('used');
    expect(await takeBack(accountId, second)).toBe('taken');
    expect(await takeBack(accountId, second)).toBe('taken');
    expect(await readBalance(accountId)).toMatchObject({ purchased: 19 });
  });

  it('come from granted credits before all blocks', async () => {
    const [accountId, ref] = [await newAccount(), newRef()];
    await buy(accountId, ref, 20);
    await ledger.database.functions.grant(accountId, `outage:${accountId}`, 3);
    await spend(accountId, 3);
    expect(await readBlock(ref)).toMatchObject({ left: 20 });
    await spend(accountId, 1);
    expect(await takeBack(accountId, ref)).toBe('used');
  });

  it('include holds until their release', async () => {
    const [accountId, ref, hold] = [await newAccount(), newRef(), newId()];
    await buy(accountId, ref, 20);
    await ledger.database.functions.reserve([{ account_id: accountId, ref: hold, unit: 2 }]);
    expect(await takeBack(accountId, ref)).toBe('used');
    await ledger.database.functions.release([hold]);
    expect(await takeBack(accountId, ref)).toBe('taken');
  });

  it('and a block taken back at the same time never overlap', async () => {
    for (let reservation = 0; reservation < 8; reservation += 1) {
      const [accountId, ref, hold] = [await newAccount(), newRef(), newId()];
      await buy(accountId, ref, 5);
      const [outcome, [held]] = await Promise.all([
        takeBack(accountId, ref),
        ledger.database.functions.reserve([{ account_id: accountId, ref: hold, unit: 1 }]),
      ]);
      expect([
        ['taken', 'insufficient'],
        ['used', 'reserved'],
      ]).toContainEqual([outcome, held?.outcome]);
    }
  });
});

describe('a block taken back', () => {
  it('by a dispute becomes debt as far as it is spent, and comes back with the debt it paid', async () => {
    const [accountId, ref] = [await newAccount(), newRef()];
    await buy(accountId, ref, 20);
    await spend(accountId, 15);
    for (const _ of [1, 2]) await correct(accountId, ref, 0);
    expect(await readBalance(accountId)).toMatchObject({ purchased: 0, debt: 15 });
    for (const _ of [1, 2]) await correct(accountId, ref, 20);
    expect(await readBalance(accountId)).toMatchObject({ purchased: 5, debt: 0 });
  });

  it('leaves other blocks unchanged', async () => {
    const [accountId, first, second] = [await newAccount(), newRef(), newRef()];
    await buy(accountId, first, 50);
    await buy(accountId, second, 20);
    await spend(accountId, 10);
    await correct(accountId, second, 0);
    expect(await readBlock(first)).toMatchObject({ left: 40 });
  });

  it('is rejected while the account has debt', async () => {
    const [accountId, first, second] = [await newAccount(), newRef(), newRef()];
    await buy(accountId, first, 20);
    await spend(accountId, 20);
    await buy(accountId, second, 5);
    await correct(accountId, first, 0);
    expect(await takeBack(accountId, second)).toBe('in_debt');
  });

  it('of another account, or under an unknown ref, is unknown', async () => {
    const [accountId, ref] = [await newAccount(), newRef()];
    await buy(accountId, ref, 20);
    expect(await takeBack(randomUUID(), ref)).toBe('unknown');
    expect(await correct(accountId, newRef(), 0)).toEqual({ outcome: 'unknown' });
  });
});

const step = fc.oneof(
  fc.record({ kind: fc.constant('buy'), block: fc.nat(4), amount: fc.constantFrom(5, 20) }),
  fc.record({ kind: fc.constant('spend'), amount: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ kind: fc.constant('give'), amount: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('takeBack'), block: fc.nat(4) }),
  fc.record({ kind: fc.constant('correct'), block: fc.nat(4), share: fc.constantFrom(0, 0.4, 1) }),
);

it('blocks are spent, taken back and corrected as in a plain model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const accountId = await newAccount();
      const refs = Array.from({ length: 5 }, newRef);
      const model = new BlocksModel();
      for (const given of steps) {
        const ref = 'block' in given ? (refs[given.block] as string) : '';
        if (given.kind === 'buy') {
          if (model.buy(ref, given.amount)) await buy(accountId, ref, given.amount);
        } else if (given.kind === 'spend') {
          await spend(accountId, model.spend(given.amount));
        } else if (given.kind === 'give') {
          model.give(given.amount);
          await ledger.database.functions.grant(accountId, randomUUID(), given.amount);
        } else if (given.kind === 'takeBack') {
          expect(await takeBack(accountId, ref)).toBe(model.takeBack(ref));
        } else {
          const net = Math.floor(model.boughtOf(ref) * given.share);
          model.correct(ref, net);
          await correct(accountId, ref, net);
        }
        expect(await readBalance(accountId)).toMatchObject(model.balance());
        for (const one of refs) expect((await readBlock(one))?.left).toBe(model.leftOf(one));
      }
    }),
    { numRuns: proven(8, 250) },
  );
});
