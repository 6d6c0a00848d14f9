import type { Finding } from '@tds/audit';
import { purchaseRef } from '@tds/contracts';
import type { Resource } from '@tds/simulators/payment';
import type { Harness } from '../harness.ts';

const NET = 'SELECT ref, net FROM blocks WHERE ref = ANY ($1)';

const sumOf = (all: readonly Resource[], intent: unknown, ended: string): number =>
  all
    .filter(({ payment_intent: of, status }) => of === intent && status !== ended)
    .reduce((sum, { amount }) => sum + Number(amount), 0);

/** What has to stand of a session that was paid, by the processor's own books. */
const worthOf = (
  { amount_total, payment_intent: intent, metadata }: Resource,
  { refunds, disputes }: Harness['system']['payment'],
): number => {
  const block = Number((metadata as { block: string }).block);
  const amount = Number(amount_total);
  const gone = Math.min(sumOf(refunds(), intent, 'failed') + sumOf(disputes(), intent, 'won'), amount);
  return block - Math.ceil((block * gone) / amount);
};

/** I10, from the processor's side: what it was paid, and has not refunded, stands in the ledger, once. */
export const checkPaidPurchases = async ({ system: { payment }, evidence }: Harness): Promise<Finding[]> => {
  const paid = payment.sessions().filter(({ payment_status: status }) => status === 'paid');
  const refOf = (session: Resource) => purchaseRef(String(session.client_reference_id));
  const rows = await evidence.rows<{ ref: string; net: number }>('credits-ledger', NET, [paid.map(refOf)]);
  const net = new Map(rows.map((row) => [row.ref, row.net]));
  return paid.flatMap((session) => {
    const [expected, found] = [worthOf(session, payment), net.get(refOf(session)) ?? 0];
    if (found === expected) return [];
    const what = 'credits that stand of what was paid';
    return [{ invariant: 'I10', subject: refOf(session), what, expected: `${expected}`, found: `${found}` }];
  });
};
