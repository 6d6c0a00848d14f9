import type { Finding } from '@tds/audit';
import { purchaseRef } from '@tds/contracts';
import type { Resource } from '@tds/simulators/payment';
import type { Harness } from '../harness.ts';
import { paidRefills } from './paid-refills.ts';

const NET = 'SELECT ref, net FROM blocks WHERE ref = ANY ($1)';

const sumOf = (all: readonly Resource[], intent: unknown, ended: string): number =>
  all
    .filter(({ payment_intent: of, status }) => of === intent && status !== ended)
    .reduce((sum, { amount }) => sum + Number(amount), 0);

type Payment = Pick<Harness['system']['payment'], 'sessions' | 'intents' | 'refunds' | 'disputes'>;
type Paid = { readonly ref: string; readonly intent: unknown; readonly amount: number; readonly block: number };

const toPaid = ({ amount, metadata }: Resource, purchaseId: unknown, intent: unknown): Paid => ({
  ...{ ref: purchaseRef(String(purchaseId)), intent, amount: Number(amount) },
  block: Number((metadata as { block: string }).block),
});

/** What was paid on pages, and charged for refills. */
const paidTo = ({ sessions, intents }: Payment): Paid[] => [
  ...sessions()
    .filter(({ payment_status: status }) => status === 'paid')
    .map((session) =>
      toPaid({ ...session, amount: session.amount_total }, session.client_reference_id, session.payment_intent),
    ),
  ...paidRefills(intents()).map((intent) =>
    toPaid(intent, (intent.metadata as { purchase_id: string }).purchase_id, intent.id),
  ),
];

/** What has to stand of a payment, by the processor's own books. */
const worthOf = ({ intent, amount, block }: Paid, { refunds, disputes }: Payment): number => {
  const gone = Math.min(sumOf(refunds(), intent, 'failed') + sumOf(disputes(), intent, 'won'), amount);
  return block - Math.ceil((block * gone) / amount);
};

/** I10, from the processor's side: what it was paid, and has not refunded, stands in the ledger, once. */
export const checkPaidPurchases = async ({ system: { payment }, evidence }: Harness): Promise<Finding[]> => {
  const paid = paidTo(payment);
  const rows = await evidence.rows<{ ref: string; net: number }>('credits-ledger', NET, [
    paid.map(({ ref }) => ref),
  ]);
  const net = new Map(rows.map((row) => [row.ref, row.net]));
  return paid.flatMap((one) => {
    const [expected, found] = [worthOf(one, payment), net.get(one.ref) ?? 0];
    if (found === expected) return [];
    const what = 'credits that stand of what was paid';
    return [{ invariant: 'I10', subject: one.ref, what, expected: `${expected}`, found: `${found}` }];
  });
};
