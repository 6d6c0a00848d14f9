import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { identity as identityContract } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { codeOf, eventually } from '@tds/test-kit';
import { startBilling, type TestBilling } from './test-support/start-billing.ts';

let billing: TestBilling;
beforeAll(async () => {
  billing = await startBilling();
});
afterEach(() => billing.simulator.clearFaults());
afterAll(() => billing?.stop());
const refills = () => billing.refills;

describe('a charge that needs a person', () => {
  it.each([
    ['authentication_required', 'authentication_required'],
    ['card_declined', 'card_declined'],
    ['expired_card', 'card_expired'],
  ] as const)('%s pauses, once, until a person acts', async (conduct, reason) => {
    const accountId = refills().account();
    await refills().setUp(accountId, {}, conduct);
    await refills().look();
    await refills().becomes(accountId, 'paused', reason);
    await refills().looks();
    expect(refills().intentsOf(accountId)).toHaveLength(1);
    expect(refills().stopsOf(accountId)).toEqual([reason]);
    refills().letPay(refills().cardOf(accountId));
    await refills().put(accountId);
    await refills().bought(accountId, 20);
    expect(
      refills()
        .intentsOf(accountId)
        .map(({ status }) => status),
    ).toEqual(['requires_payment_method', 'succeeded']);
  });

  it('goes on with another card, and the former one is removed from the processor', async () => {
    const accountId = refills().account();
    await refills().setUp(accountId, {}, 'card_declined');
    const declined = refills().cardOf(accountId);
    await refills().look();
    await refills().becomes(accountId, 'paused', 'card_declined');
    billing.simulator.setUpCard(await refills().openPage(accountId));
    await refills().bought(accountId, 20);
    await eventually(() => expect(refills().customerOf(declined)).toBeNull());
  });

  it('is a card that was removed at the processor, or a price that has changed', async () => {
    const [removed, dearer] = [refills().account(), refills().account()];
    for (const accountId of [removed, dearer]) await refills().setUp(accountId);
    for (const card of billing.simulator.cards())
      if (card.id === refills().cardOf(removed)) card.customer = null;
    await billing.kit().db.query('UPDATE refills SET amount = 800 WHERE account_id = $1', [dearer]);
    await refills().look();
    await refills().becomes(removed, 'paused', 'card_removed');
    await refills().becomes(dearer, 'paused', 'price_changed');
    for (const accountId of [removed, dearer]) expect(refills().intentsOf(accountId)).toEqual([]);
  });
});

let version = 0;
const tellStatus = (accountId: string, status: 'frozen' | 'closed') =>
  billing.identity.emit(identityContract.accountStatusChanged, { accountId, status, version: ++version });

describe('refilling ends for good, and its card is forgotten here and at the processor,', () => {
  const withCard = async () => {
    const accountId = refills().account();
    await refills().setUp(accountId);
    return { accountId, card: refills().cardOf(accountId) };
  };
  const ended = async (accountId: string, card: string, reason: string | null) => {
    await refills().becomes(accountId, 'off', reason);
    await eventually(() => expect(refills().customerOf(card)).toBeNull());
    await refills().looks();
    expect(
      refills()
        .intentsOf(accountId)
        .filter(({ status }) => status === 'succeeded'),
    ).toHaveLength(0);
    const { rows } = await billing
      .kit()
      .db.query('SELECT payment_method_id FROM refills WHERE account_id = $1', [accountId]);
    expect(rows).toEqual([{ payment_method_id: null }]);
  };

  it('by a person', async () => {
    const { accountId, card } = await withCard();
    for (const _ of [1, 2]) expect(await refills().end(accountId)).toMatchObject({ status: 'off' });
    await ended(accountId, card, null);
    expect(refills().stopsOf(accountId)).toEqual([]);
    expect(await codeOf(refills().openPage(accountId))).toBe('refill_not_found');
  });

  it.each(['frozen', 'closed'] as const)('by an account that is %s', async (status) => {
    const { accountId, card } = await withCard();
    await tellStatus(accountId, status);
    await ended(accountId, card, `account_${status}`);
  });

  it.each(['frozen', 'closed'] as const)(
    'by one that is %s, also if the event of that was lost',
    async (status) => {
      const { accountId, card } = await withCard();
      if (status === 'frozen') billing.identity.frozen.add(accountId);
      else billing.identity.accounts.set(billing.identity.emailOf(accountId), { accountId, isClosed: true });
      await refills().look();
      await ended(accountId, card, `account_${status}`);
    },
  );

  it.each([
    ['is removed', true, 'owner'],
    ['becomes a member', false, 'member'],
  ] as const)('by a payer who %s', async (_what, isRemoved, role) => {
    const { accountId, card } = await withCard();
    const person = { accountId, personId: accountId, role, dailyCreditCap: null, isRemoved, version: 2 };
    await billing.identity.emit(identityContract.personChanged, { ...person, personId: randomUUID() });
    await billing.identity.emit(identityContract.personChanged, person);
    await ended(accountId, card, 'payer_removed');
    expect(refills().stopsOf(accountId)).toEqual(['payer_removed']);
  });

  it('by a payer who is gone, also if the event of that was lost', async () => {
    const { accountId, card } = await withCard();
    billing.identity.people.set(accountId, [{ id: randomUUID(), role: 'owner' }]);
    await refills().look();
    await ended(accountId, card, 'payer_removed');
  });

  it('by a dispute of any purchase that the account has made', async () => {
    const accountId = refills().account();
    const { paymentIntentId } = await billing.buy({ accountId });
    billing.ledger.spend(accountId, 20);
    await refills().setUp(accountId, { monthlyLimit: 900 });
    const card = refills().cardOf(accountId);
    billing.simulator.dispute(paymentIntentId);
    await refills().becomes(accountId, 'off', 'dispute');
    await eventually(() => expect(refills().customerOf(card)).toBeNull());
  });
});

describe('a page of a card that is completed', () => {
  it.each([
    ['after refilling was turned off', async (id: string) => void (await refills().end(id))],
    [
      'after its person has left',
      async (id: string) => void billing.identity.people.set(id, [{ id: randomUUID(), role: 'owner' }]),
    ],
  ])('%s is of no use, and its card is removed', async (_when, act) => {
    const accountId = refills().account();
    await refills().put(accountId);
    const page = await refills().openPage(accountId);
    await act(accountId);
    billing.simulator.setUpCard(page);
    const card = String(billing.simulator.cards().at(-1)?.id);
    await eventually(() => expect(refills().customerOf(card)).toBeNull());
    expect((await refills().show(accountId)).status).not.toBe('on');
  });

  it('is found in the list of the processor if its event was lost, and twice heard is heard once', async () => {
    const accountId = refills().account();
    await refills().put(accountId);
    billing.simulator.fault({ kind: 'lose', times: 2 });
    billing.simulator.setUpCard(await refills().openPage(accountId));
    for (const _ of [1, 2]) await billing.handlers().schedules.reconcileEvents(testContext());
    await refills().becomes(accountId, 'on');
  });
});
