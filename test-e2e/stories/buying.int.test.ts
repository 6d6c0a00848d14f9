import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { auditBooks, openEvidence } from '@tds/audit';
import { newId } from '@tds/contracts';
import { withClient } from '@tds/servers';
import { copyDatabase, eventually } from '@tds/test-kit';
import {
  type Answer,
  bearer,
  booksAgree,
  type Customer,
  call,
  dashboard,
  postJson,
  shareTestSystem,
  signUp,
  signUpAt,
  type TestSystem,
  waitingRows,
} from '#support/testing';

const WITHIN = { everyMs: 100 };

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

const databaseOf = (service: string) => {
  const database = system.databases[service];
  if (!database) throw new Error(`there is no database of ${service}`);
  return database;
};
const booksAreRight = async (invariants?: readonly string[]): Promise<void> => {
  const evidence = openEvidence((service) => databaseOf(service).adminUrl, { atRest: true });
  const audit = async () =>
    (await auditBooks(evidence)).filter(({ invariant }) => invariants?.includes(invariant) ?? true);
  await booksAgree(evidence, { audit });
};

type Prices = { currency: string; blocks: { block: number; amount: number }[] };
type Checkout = { checkout_url: string; purchase_id: string };
type Purchases = { purchases: { id: string; status: string; credits_left: number; refundable: boolean }[] };
type Account = {
  account: { tier: string; status: string };
  credits: { free: number; purchased: number };
  limits: { requests_per_minute: number };
};

const checkout = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  postJson(`${system.gateway}/v1/checkout`, body, headers);
const open = async (body: object, headers: Record<string, string> = {}): Promise<Checkout> => {
  const answer = await checkout(body, headers);
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return answer.json<Checkout>();
};
/** What a person does on the page of the processor. */
const click = (url: string) => call(url, { method: 'POST' });
const accountOf = async (customer: Customer) => (await customer.get('/v1/account')).json<Account>();
const purchasesOf = async (customer: Customer) =>
  (await customer.get('/v1/billing/purchases')).json<Purchases>().purchases;
const refund = (customer: Customer, purchase_id: string) =>
  postJson(`${system.gateway}/v1/checkout?action=refund`, { purchase_id }, bearer(customer.key));
const has = (customer: Customer, purchased: number, tier: string) =>
  eventually(async () => {
    const { account, credits } = await accountOf(customer);
    expect([credits.purchased, account.tier]).toEqual([purchased, tier]);
  }, WITHIN);
const intentOf = (purchaseId: string): string =>
  String(system.payment.sessions().find((first) => first.client_reference_id === purchaseId)?.payment_intent);
const ledgerOf = async (customer: Customer) =>
  (await customer.get('/v1/usage?resource=ledger')).json<{
    rows: { kind: string; amount: number; reason: string }[];
  }>().rows;

describe('a customer', () => {
  afterEach(() => booksAreRight());

  it('buys a block in a browser, sees credits, tier and limits, and gives the untouched block back', async () => {
    const customer = await signUp(system);
    const { checkout_url: url, purchase_id: id } = await open({ block: 20 }, dashboard(customer));
    const { currency, blocks } = (await call(`${system.gateway}/v1/checkout`)).json<Prices>();
    const price = Number(blocks.find(({ block }) => block === 20)?.amount) / 100;
    expect((await call(url)).text).toContain(`${price.toFixed(2)} ${currency.toUpperCase()}`);
    const paid = await click(url);
    const page = await call(paid.headers.get('location') ?? '');
    expect(page.text).toContain('Thank you');
    await has(customer, 20, 'paid');
    expect((await accountOf(customer)).limits.requests_per_minute).toBe(300);
    await eventually(async () => {
      const answer = await customer.get('/v1/account');
      expect([answer.headers.get('x-credits-balance'), answer.headers.get('x-ratelimit-limit')]).toEqual([
        '120',
        '300',
      ]);
    }, WITHIN);
    expect(await purchasesOf(customer)).toMatchObject([{ id, status: 'paid', refundable: true }]);
    expect((await refund(customer, id)).status).toBe(202);
    await has(customer, 0, 'free');
    await eventually(async () =>
      expect((await refund(customer, id)).json<{ refund: { status: string } }>().refund.status).toBe(
        'succeeded',
      ),
    );
    expect((await ledgerOf(customer)).slice(0, 2)).toMatchObject([
      { kind: 'purchase_refund', amount: -20, reason: 'refund' },
      { kind: 'grant', amount: 20, reason: 'purchase' },
    ]);
  });

  it('is refused the refund of a touched block, and a second purchase before 100 credits are used', async () => {
    const customer = await signUp(system);
    const { checkout_url: url, purchase_id: id } = await open({ block: 5 }, bearer(customer.key));
    expect((await checkout({ block: 5 }, bearer(customer.key))).json()).toMatchObject({
      code: 'purchase_in_progress',
      checkout_url: url,
      retry_after: expect.any(Number),
    });
    await click(url);
    await has(customer, 5, 'paid');
    expect((await checkout({ block: 5 }, bearer(customer.key))).json().code).toBe('new_account_purchase_limit');
    const charge = `SELECT outcome FROM charge_items(jsonb_build_object('account_id', $1::text, 'ref', $2::text, 'unit', 101, 'items', '{1}'))`;
    await withClient(databaseOf('credits-ledger').adminUrl, (client) =>
      client.query(charge, [customer.accountId, newId()]),
    );
    expect((await refund(customer, id)).json().code).toBe('refund_block_used');
    expect(await purchasesOf(customer)).toMatchObject([{ id, credits_left: 4, refundable: false }]);
  });

  it('by e-mail alone signs in to the address once it is paid, and accepts the credits', async () => {
    const email = `${randomUUID()}@example.com`;
    const { checkout_url: url, purchase_id: id } = await open({ block: 50, email });
    await click(url);
    const customer = await signUpAt(system.gateway, system.mail.url, email);
    await eventually(
      async () => expect(await purchasesOf(customer)).toMatchObject([{ id, status: 'waiting' }]),
      WITHIN,
    );
    const path = `${system.gateway}/v1/billing/purchases/${id}/accept`;
    expect((await postJson(path, {}, bearer(customer.key))).status).toBe(200);
    await has(customer, 50, 'free');
  });

  it('is never frozen by the bank of a stranger who has paid for its address', async () => {
    const email = `${randomUUID()}@example.com`;
    const customer = await signUpAt(system.gateway, system.mail.url, email);
    const { checkout_url: url, purchase_id: id } = await open({ block: 5, email });
    await click(url);
    await eventually(
      async () => expect(await purchasesOf(customer)).toMatchObject([{ status: 'waiting' }]),
      WITHIN,
    );
    system.payment.dispute(intentOf(id));
    await eventually(
      async () => expect(await purchasesOf(customer)).toMatchObject([{ status: 'disputed' }]),
      WITHIN,
    );
    expect((await accountOf(customer)).account).toMatchObject({ status: 'active', tier: 'free' });
    await click((await open({ block: 20 }, bearer(customer.key))).checkout_url);
    await has(customer, 20, 'paid');
  });

  it('whose bank takes the money back is frozen, and active again if the dispute is won', async () => {
    const customer = await signUp(system);
    const { checkout_url: url, purchase_id: id } = await open({ block: 20 }, bearer(customer.key));
    await click(url);
    await has(customer, 20, 'paid');
    const dispute = system.payment.dispute(intentOf(id));
    await eventually(async () => expect((await accountOf(customer)).account.status).toBe('frozen'), WITHIN);
    expect((await checkout({ block: 5 }, bearer(customer.key))).json().code).toBe('account_frozen');
    system.payment.closeDispute(dispute.id, 'won');
    await eventually(async () => expect((await accountOf(customer)).account.status).toBe('active'), WITHIN);
    await has(customer, 20, 'paid');
  });
});

describe('nothing is lost or granted twice', () => {
  it('if every event arrives ten times more', async () => {
    const customer = await signUp(system);
    await click((await open({ block: 200 }, bearer(customer.key))).checkout_url);
    await has(customer, 200, 'paid');
    for (const event of system.payment.events())
      for (let time = 0; time < 10; time += 1) system.payment.resend(event);
    await system.payment.whenIdle();
    await has(customer, 200, 'paid');
    await booksAreRight();
  });

  it.each(['credits-ledger', 'billing'])(
    'if the database of %s is restored from yesterday',
    async (service) => {
      const [customer, other] = [await signUp(system), await signUp(system)];
      const copy = await copyDatabase(databaseOf(service));
      await eventually(
        async () => expect((await customer.get('/v1/billing/purchases')).status).toBe(200),
        WITHIN,
      );
      const bought = await open({ block: 20 }, bearer(customer.key));
      const returned = await open({ block: 50 }, bearer(other.key));
      for (const { checkout_url: url } of [bought, returned]) await click(url);
      await has(other, 50, 'paid');
      expect((await refund(other, returned.purchase_id)).status).toBe(202);
      await has(other, 0, 'free');
      await copy.putBack();
      await eventually(
        async () => {
          await waitingRows(system, 'billing').makeDue('messaging.schedules', {
            where: "name LIKE 'reconcile-%'",
          });
          await withClient(databaseOf('billing').adminUrl, (client) =>
            client.query(
              `UPDATE purchases SET changed_at = changed_at - interval '2 minutes' WHERE changed_at > now() - interval '1 minute'`,
            ),
          );
          expect((await accountOf(customer)).credits.purchased).toBe(20);
          expect((await accountOf(other)).credits.purchased).toBe(0);
          expect(await purchasesOf(other)).toMatchObject([{ status: 'refunded' }]);
        },
        { everyMs: 500 },
      );
      await copy.drop();
    },
  );
});
