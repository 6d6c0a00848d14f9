import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError, serviceError } from '@tds/errors';
import { codeOf } from '@tds/test-kit';
import { OPENING_MS } from '../domain/checkout.ts';
import { insertOpening, markExpired, markOpen } from '../store/checkouts.ts';
import { findCustomer } from '../store/customers.ts';
import {
  after,
  NOW,
  newPurchase,
  ofStranger,
  startTables,
  type Tables,
} from '../test-support/stored-purchases.ts';
import type { Processor } from '../upstream/processor.ts';
import {
  type CheckoutBuyer,
  closePage,
  findOrCreateCustomer,
  inProgressError,
  replayCheckout,
} from './checkouts.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const now = async () => NOW;
const { signal } = new AbortController();
const away = async (): Promise<never> => {
  throw serviceError('payment_request_failed', { retryAfterSeconds: 5 });
};
const withProcessor = (given: Partial<Processor>) => ({ db: tables.db, now, processor: given as Processor });
const page = () => ({ sessionId: `cs_${randomUUID()}`, pageUrl: 'https://pay.example/page' });

/** A page of an account that is opening, and its buyer. */
const opening = async (given: object = {}) => {
  const purchase = newPurchase({ idempotencyKey: randomUUID(), ...given });
  await insertOpening(tables.db, purchase);
  const { accountId, email, idempotencyKey } = purchase;
  const buyer = { boughtBy: purchase.boughtBy, accountId, email } as CheckoutBuyer;
  const repeat = (changed: object = {}, until = signal) =>
    replayCheckout({ db: tables.db, now }, buyer, { block: 20, idempotencyKey, ...changed }, until);
  return { purchase, buyer, repeat };
};

describe('a repeated request for a checkout', () => {
  it.each<[string, () => object]>([
    ['an account', () => ({})],
    ['a stranger', () => ofStranger()],
  ])('of %s gets the page of the first one, with what it sells', async (_who, given) => {
    const { purchase, repeat } = await opening(given());
    await markOpen(tables.db, purchase.id, page());
    expect(await repeat()).toEqual({
      isReplayed: true,
      checkout: {
        ...{ checkout_url: 'https://pay.example/page', purchase_id: purchase.id, block: 20 },
        ...{ amount: 900, currency: 'usd', expires_at: purchase.expiresAt.toISOString() },
      },
    });
  });

  it('waits while the page of the first one opens', async () => {
    const { purchase, repeat } = await opening();
    const waiting = repeat();
    await delay(150);
    await markOpen(tables.db, purchase.id, page());
    expect((await waiting)?.checkout.purchase_id).toBe(purchase.id);
  });

  it('begins anew if the first one fails while it waits', async () => {
    const { purchase, repeat } = await opening();
    const waiting = repeat();
    await delay(150);
    await markExpired(tables.db, purchase.id, NOW);
    expect(await waiting).toBeNull();
  });

  it('stops waiting when its caller has gone', async () => {
    const { repeat } = await opening();
    const gone = new AbortController();
    const waiting = repeat({}, gone.signal);
    gone.abort();
    await expect(waiting).rejects.toThrow();
  });

  it('of an account is rejected for another block at once, without waiting for the page', async () => {
    const { repeat } = await opening();
    expect(await codeOf(repeat({ block: 50 }))).toBe('idempotency_key_reused');
  });

  it('of a stranger for another block is a new request, which reveals nothing', async () => {
    const { repeat } = await opening(ofStranger());
    expect(await repeat({ block: 50 })).toBeNull();
  });

  it('without a key, or with another one, is a new request', async () => {
    const { repeat } = await opening();
    expect([await repeat({ idempotencyKey: null }), await repeat({ idempotencyKey: 'else' })]).toEqual([
      null,
      null,
    ]);
  });
});

describe('the answer that a checkout is in progress', () => {
  const dataOf = async (accountId: string | null) => {
    const error = await inProgressError({ db: tables.db, now }, accountId);
    expect(error).toBeInstanceOf(ServiceError);
    return error.data;
  };

  it('names the open page, and the seconds until it expires', async () => {
    const { purchase } = await opening();
    await markOpen(tables.db, purchase.id, page());
    expect(await dataOf(purchase.accountId)).toMatchObject({
      ...{ code: 'purchase_in_progress', retryAfterSeconds: 1_800 },
      extras: { checkout_url: 'https://pay.example/page' },
    });
  });

  it('names no page while it opens, and the seconds until that is given up', async () => {
    const { purchase } = await opening({ createdAt: after(-OPENING_MS / 2) });
    expect(await dataOf(purchase.accountId)).toMatchObject({
      ...{ retryAfterSeconds: OPENING_MS / 2_000, extras: { checkout_url: null } },
    });
  });

  it('names no page of anyone to a stranger', async () => {
    await opening();
    expect(await dataOf(null)).toMatchObject({ extras: { checkout_url: null } });
  });
});

describe('the customer of an account', () => {
  it('is made once and then known, also if the processor is away later', async () => {
    const accountId = randomUUID();
    const made = `cus_${randomUUID()}`;
    expect(
      await findOrCreateCustomer(withProcessor({ createCustomer: async () => ({ id: made }) }), accountId),
    ).toBe(made);
    expect(await findOrCreateCustomer(withProcessor({ createCustomer: away }), accountId)).toBe(made);
  });

  it('is the same for concurrent requests, even if the processor made several', async () => {
    const accountId = randomUUID();
    const deps = withProcessor({ createCustomer: async () => ({ id: `cus_${randomUUID()}` }) });
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => findOrCreateCustomer(deps, accountId)));
    expect(new Set(answers)).toEqual(new Set([await findCustomer(tables.db, accountId)]));
  });

  it('is not saved if the processor fails, and is made by the next request', async () => {
    const accountId = randomUUID();
    expect(await codeOf(findOrCreateCustomer(withProcessor({ createCustomer: away }), accountId))).toBe(
      'payment_request_failed',
    );
    expect(await findCustomer(tables.db, accountId)).toBeNull();
  });
});

describe('closing a page', () => {
  const opened = async () => {
    const { purchase } = await opening();
    await markOpen(tables.db, purchase.id, page());
    return tables.find(purchase.id);
  };
  const stateOf = async (id: string) => (await tables.find(id)).state;

  it('closes it at the processor first, then here', async () => {
    const purchase = await opened();
    const before: string[] = [];
    const closeSession = async (id: string) => {
      before.push(id, await stateOf(purchase.id));
      return true;
    };
    expect(await closePage(withProcessor({ closeSession }), purchase)).toBe(true);
    expect([before, await stateOf(purchase.id)]).toEqual([[purchase.sessionId, 'open'], 'expired']);
  });

  it('changes nothing if it is paid or about to be', async () => {
    const purchase = await opened();
    expect(await closePage(withProcessor({ closeSession: async () => false }), purchase)).toBe(false);
    expect(await stateOf(purchase.id)).toBe('open');
  });

  it('changes nothing if the processor is away: the page can still be paid', async () => {
    const purchase = await opened();
    expect(await codeOf(closePage(withProcessor({ closeSession: away }), purchase))).toBe(
      'payment_request_failed',
    );
    expect(await stateOf(purchase.id)).toBe('open');
  });

  it('changes nothing if it is still opening, and does not ask the processor', async () => {
    const { purchase } = await opening();
    expect(await closePage(withProcessor({ closeSession: away }), { ...purchase, sessionId: null })).toBe(
      false,
    );
    expect(await stateOf(purchase.id)).toBe('opening');
  });

  it('that was paid meanwhile keeps the payment', async () => {
    const purchase = await opened();
    const closeSession = async () => {
      const paid = { state: 'paid', paidAt: NOW, paymentIntentId: `pi_${randomUUID()}` } as const;
      await tables.db.purchase.update({ where: { id: purchase.id }, data: paid });
      return true;
    };
    await closePage(withProcessor({ closeSession }), purchase);
    expect(await stateOf(purchase.id)).toBe('paid');
  });
});
