import { type CreditBlock, newId } from '@tds/contracts';
import { paymentSecretOf, type Servers } from '@tds/local';
import { signatureOf } from '@tds/payment-simulator';
import type { Account } from './accounts.ts';
import { queryAs } from './databases.ts';

const BLOCK: CreditBlock = 20;
const AMOUNT = 100;
const MS = 1_000;

/** An unpaid purchase, and the event that pays it. */
export type Payment = { readonly account: Account; readonly purchaseId: string; readonly event: string };

const eventOf = (purchaseId: string): string => {
  const of = purchaseId.replaceAll('-', '');
  const session = {
    ...{ id: `cs_${of}`, object: 'checkout.session', payment_status: 'paid', mode: 'payment' },
    ...{ client_reference_id: purchaseId, metadata: { purchase_id: purchaseId, block: String(BLOCK) } },
    ...{ amount_total: AMOUNT, currency: 'usd', payment_intent: `pi_${of}`, customer: `cus_${of}` },
    expires_at: Math.floor(Date.now() / MS) + 1_800,
  };
  return JSON.stringify({
    ...{ id: `evt_${of}`, object: 'event', type: 'checkout.session.completed', livemode: false },
    ...{ created: Math.floor(Date.now() / MS), data: { object: session } },
  });
};

/** Writes one purchase of each account into the database: opening them would measure the payment processor. */
export const seedPayments = async (servers: Servers, accounts: readonly Account[]): Promise<Payment[]> => {
  const payments = accounts.map((account) => {
    const purchaseId = newId();
    return { account, purchaseId, event: eventOf(purchaseId) };
  });
  await queryAs(
    servers,
    'billing',
    `INSERT INTO purchases (id, bought_by, account_id, block, amount, currency, state, session_id, customer_id, expires_at, created_at, changed_at)
     SELECT id, 'account', account_id, ${BLOCK}, ${AMOUNT}, 'usd', 'open', 'cs_' || replace(id::text, '-', ''),
            'cus_' || replace(id::text, '-', ''), now() + interval '30 minutes', now(), now()
     FROM unnest($1::uuid[], $2::uuid[]) AS purchase (id, account_id)`,
    [payments.map(({ purchaseId }) => purchaseId), payments.map(({ account }) => account.id)],
  );
  return payments;
};

/** The headers of an event, signed now. */
export const signedHeaders = (servers: Servers, event: string): Record<string, string> => ({
  'Content-Type': 'application/json',
  'Stripe-Signature': signatureOf(event, paymentSecretOf(servers), Math.floor(Date.now() / MS)),
});
