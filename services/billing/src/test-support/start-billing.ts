import { randomUUID } from 'node:crypto';
import {
  billing,
  type CreditBlock,
  identity as identityContract,
  purchaseRef,
  type ReplyOf,
} from '@tds/contracts';
import { createCaller, observeService, startHarness, testContext } from '@tds/kit/testing';
import { fakeLedger } from '@tds/reservations/testing';
import { startPaymentSimulator } from '@tds/simulators/payment';
import { eventually } from '@tds/test-kit';
import { service } from '../index.ts';
import { startEventReceiver } from './event-receiver.ts';
import { fakeIdentity } from './fake-identity.ts';
import { createRefillOperations, hearRefills } from './refill-operations.ts';

export const WEBHOOK_SECRET = 'whsec_of_the_tests_0123456789';
export const OLD_WEBHOOK_SECRET = 'whsec_of_before_0123456789';
const CLIENT_ADDRESS = '192.0.2.1';

/** The prices of tests, in cents. */
const PRICES = { 5: 250, 20: 900, 50: 2_000, 200: 7_000, 1000: 30_000 };
export const creditPrices = (prices: Partial<typeof PRICES> = {}): string =>
  Object.entries({ ...PRICES, ...prices })
    .map((price) => price.join(':'))
    .join();
const processorPrices = Object.entries(PRICES).map(([block, unitAmount]) => ({
  ...{ lookupKey: `credits_${block}`, unitAmount, currency: 'usd' },
}));

type BuyRequest = {
  readonly accountId?: string;
  readonly block?: CreditBlock;
  readonly idempotencyKey?: string | null;
};

/** The service on real servers, with a simulated payment processor and a ledger and an identity in memory. */
export const startBilling = async (
  environment: NodeJS.ProcessEnv = {},
  /** How long the processor waits for the answer to an event. */
  answer: { readonly timeoutMs?: number } = {},
) => {
  const [harness, simulator] = await Promise.all([
    startHarness({ databases: { billing: 'billing', identity: 'messaging' } }),
    startPaymentSimulator({ prices: processorPrices }),
  ]);
  let shiftMs = 0;
  const now = () => new Date(Date.now() + shiftMs);
  const [ledger, identity] = [fakeLedger({ free: 0, now }), fakeIdentity()];
  const caller = createCaller(
    billing,
    ...([billing.customerChanged, billing.blockRefunded, billing.refillChanged] as const),
    ...([billing.accountRefilled, billing.refillStopped] as const),
  );
  hearRefills(ledger, caller.received(billing.refillChanged));
  const receiver = await startEventReceiver((event) =>
    caller.call(billing.receivePaymentEvent, event, testContext()),
  );
  simulator.sendTo({ url: receiver.url, secret: WEBHOOK_SECRET, ...answer });
  const settings = {
    STRIPE_API_ORIGIN: simulator.origin,
    STRIPE_SECRET_KEY: 'sk_test_of_the_tests',
    STRIPE_WEBHOOK_SECRETS: `${WEBHOOK_SECRET}, ${OLD_WEBHOOK_SECRET}`,
    CHECKOUTS_PER_HOUR: '100000',
    CREDIT_PRICES: creditPrices(),
    ...environment,
  };
  const own = observeService(service.with({ now: async () => now() }));
  for (const fake of [ledger.service, identity.service, caller.service]) await harness.start(fake);
  const start = () => harness.start(own.service, settings);
  let running = await start();

  const flattenReply = ({ checkout, isReplayed }: ReplyOf<typeof billing.openCheckout>) => {
    const { checkout_url: checkoutUrl, purchase_id: purchaseId, expires_at: expiresAt, ...sold } = checkout;
    return { checkoutUrl, purchaseId, expiresAt, ...sold, isReplayed };
  };
  const open = async (
    { accountId = randomUUID(), block = 20, idempotencyKey = null }: BuyRequest = {},
    clientAddress = CLIENT_ADDRESS,
  ) =>
    flattenReply(
      await caller.call(
        billing.openCheckout,
        { buyer: { kind: 'account', accountId, personId: accountId }, block, clientAddress, idempotencyKey },
        testContext(),
      ),
    );
  const openFor = async (email: string, idempotencyKey: string | null = null, block: CreditBlock = 20) =>
    flattenReply(
      await caller.call(
        billing.openCheckout,
        { buyer: { kind: 'address', email }, block, clientAddress: CLIENT_ADDRESS, idempotencyKey },
        testContext(),
      ),
    );
  const accept = async (accountId: string, purchaseId: string) =>
    (await caller.call(billing.acceptPurchase, { accountId, purchaseId }, testContext())).purchase;
  const list = async (accountId: string) =>
    (await caller.call(billing.listPurchases, { accountId, limit: 100, offset: 0 }, testContext())).purchases;
  const find = async (accountId: string, purchaseId: string) => {
    const purchase = (await list(accountId)).find(({ id }) => id === purchaseId);
    if (!purchase) throw new Error(`the account has no purchase ${purchaseId}`);
    return purchase;
  };
  const sessionOf = (purchaseId: string) => {
    const session = simulator.sessions().find((first) => first.client_reference_id === purchaseId);
    if (!session) throw new Error(`the processor has no session of ${purchaseId}`);
    return session;
  };
  /** Resolves to the id of the payment. */
  const pay = (purchaseId: string): string => String(simulator.pay(sessionOf(purchaseId).id).payment_intent);
  const granted = (purchaseId: string) =>
    eventually(() => {
      const block = ledger.block(purchaseRef(purchaseId));
      if (!block) throw new Error('not granted yet');
      return block;
    });
  return {
    ...{
      harness,
      simulator,
      ledger,
      identity,
      receiver,
      settings,
      open,
      openFor,
      accept,
      list,
      find,
      sessionOf,
      pay,
      granted,
    },
    call: caller.call,
    changes: caller.received(billing.customerChanged),
    refunded: caller.received(billing.blockRefunded),
    refilled: caller.received(billing.accountRefilled),
    heardRefills: caller.received(billing.refillChanged),
    refills: createRefillOperations({ caller, ledger, simulator, own }),
    handlers: own.handlers,
    kit: own.kit,
    database: harness.databases.billing,
    refund: async (accountId: string, purchaseId: string, reason: string | null = null) => {
      const by = { keyId: null, personId: accountId };
      return (await caller.call(billing.requestRefund, { accountId, purchaseId, reason, by }, testContext()))
        .refund;
    },
    /** A purchase that is paid and granted. */
    buy: async ({ accountId = randomUUID(), block = 20 }: BuyRequest = {}) => {
      const { purchaseId } = await open({ accountId, block });
      const paymentIntentId = pay(purchaseId);
      await granted(purchaseId);
      await eventually(async () => {
        if ((await find(accountId, purchaseId)).status !== 'paid') throw new Error('not settled yet');
      });
      return { accountId, purchaseId, paymentIntentId, ref: purchaseRef(purchaseId) };
    },
    /** A purchase that is paid, but not reported by a webhook. */
    payUnheard: async () => {
      const accountId = randomUUID();
      const { purchaseId } = await open({ accountId });
      simulator.fault({ kind: 'lose', times: 3 });
      pay(purchaseId);
      return { accountId, purchaseId, session: sessionOf(purchaseId) };
    },
    /** A purchase that a stranger has paid for the address of an account. */
    give: async (accountId: string, block: CreditBlock = 20) => {
      const { purchaseId } = await openFor(identity.emailOf(accountId), null, block);
      const paymentIntentId = pay(purchaseId);
      await eventually(async () => {
        if ((await find(accountId, purchaseId)).status !== 'waiting') throw new Error('not waiting yet');
      });
      return { accountId, purchaseId, paymentIntentId, ref: purchaseRef(purchaseId) };
    },
    /** The holder closes the account: identity, the ledger and the event say so. */
    close: async (accountId: string): Promise<void> => {
      identity.accounts.set(identity.emailOf(accountId), { accountId, isClosed: true });
      ledger.close(accountId);
      const closed = { accountId, status: 'closed', version: 1 } as const;
      await identity.emit(identityContract.accountStatusChanged, closed);
    },
    cancel: (purchaseId: string) => caller.call(billing.cancelCheckout, { purchaseId }, testContext()),
    context: () => testContext(),
    /** Runs `work` with the clock advanced by `ms`. */
    later: async (ms: number, work: () => Promise<void>): Promise<void> => {
      shiftMs = ms;
      await work().finally(() => {
        shiftMs = 0;
      });
    },
    stopService: () => running.stop(),
    startService: async () => {
      running = await start();
    },
    stop: async () => {
      await simulator.close();
      await receiver.stop();
      await harness.stop();
    },
  };
};

export type TestBilling = Awaited<ReturnType<typeof startBilling>>;
