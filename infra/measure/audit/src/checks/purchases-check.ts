import { askAll, type BookCheck, type Breach, checkPagesById, type Evidence, findStrays } from './evidence.ts';

type SoldPurchase = { id: string; account_id: string | null; worth: number; is_settled: boolean };
type Block = { ref: string; account_id: string; net: number };

const PAGE = 5_000;
const PREFIX = 'purchase:';

/**
 * The credits that stand of each paid purchase, recomputed from the moved money: a refunded share takes that share of the credits. None
 * stand of a stranger's purchase before it is accepted.
 */
const SOLD = `
  SELECT p.id, p.account_id,
    (p.granted_at IS NOT NULL OR p.account_id IS NULL) AND q.state IS DISTINCT FROM 'asked' AS is_settled,
    CASE WHEN q.state = 'taken' OR p.account_id IS NULL THEN 0
      ELSE p.block - ceil(p.block * least(m.refunded + m.disputed, p.amount)::numeric / p.amount)::int END AS worth
  FROM purchases AS p LEFT JOIN refund_requests AS q ON q.purchase_id = p.id
  CROSS JOIN LATERAL (
    SELECT (SELECT coalesce(sum(CASE WHEN currency = p.currency THEN amount ELSE p.amount END), 0) FROM refunds AS r
            WHERE r.payment_intent_id = p.payment_intent_id AND r.status <> 'failed') AS refunded,
           (SELECT coalesce(sum(CASE WHEN currency = p.currency THEN amount ELSE p.amount END), 0) FROM disputes AS d
            WHERE d.payment_intent_id = p.payment_intent_id AND d.status <> 'won') AS disputed
  ) AS m
  WHERE p.state = 'paid' AND p.id > $1 ORDER BY p.id LIMIT ${PAGE}`;
const BLOCKS = 'SELECT ref, account_id, net FROM blocks WHERE ref = ANY ($1)';
const ALL_BLOCKS = `SELECT ref AS key FROM blocks WHERE ref > $1 ORDER BY ref LIMIT ${PAGE}`;
const KNOWN = `SELECT id FROM purchases WHERE id = ANY ($1::uuid[]) AND state = 'paid'`;
/** Of closed accounts; whether a block is untouched, the ledger's own rule says. */
const UNTOUCHED = `
  SELECT b.ref AS key FROM blocks AS b JOIN accounts AS a USING (account_id)
  WHERE a.status = 'closed' AND b.net = b.amount AND left_of_block(a, b) = b.amount AND b.ref > $1
  ORDER BY b.ref LIMIT ${PAGE}`;
/** Billing compares purchases with the ledger every hour at the latest. */
const REFUNDED_WITHIN = '2 hours';
const REFUNDED = (grace: string) => `
  SELECT p.id FROM purchases AS p JOIN moved_money AS m ON m.purchase_id = p.id
  WHERE p.id = ANY ($1::uuid[]) AND (m.refunded + m.disputed > 0 OR p.changed_at > now() - interval '${grace}'
    OR EXISTS (SELECT FROM refund_requests AS q WHERE q.purchase_id = p.id))`;
const MISMATCHED = `
  SELECT format('payment %s of purchase %s', id, coalesce(purchase_id::text, 'none')) AS subject, code AS what
  FROM mismatched_payments WHERE looked_at IS NULL ORDER BY noted_at LIMIT 1000`;
const OPEN_TWICE = `
  SELECT account_id AS id, count(*)::text AS found FROM purchases WHERE state IN ('opening', 'open') AND account_id IS NOT NULL
  GROUP BY account_id HAVING count(*) > 1`;

const compare = (purchase: SoldPurchase, block: Block | undefined): Breach[] => {
  const subject = `purchase ${purchase.id} of account ${purchase.account_id ?? 'none'}`;
  const found = block?.net ?? 0;
  if (block && block.account_id !== purchase.account_id)
    return [
      { subject, what: 'account of its block', expected: `${purchase.account_id}`, found: block.account_id },
    ];
  if (found === purchase.worth) return [];
  return [{ subject, what: 'credits that stand of it', expected: `${purchase.worth}`, found: `${found}` }];
};

const checkPurchases = (evidence: Evidence): Promise<Breach[]> =>
  checkPagesById<SoldPurchase>(evidence, { service: 'billing', sql: SOLD, pageSize: PAGE }, async (page) => {
    const refs = page.map(({ id }) => PREFIX + id);
    const blocks = await evidence.rows<Block>('credits-ledger', BLOCKS, [refs]);
    const byRef = new Map(blocks.map((block) => [block.ref, block]));
    // A purchase that is under way is wrong at rest only.
    const due = page.filter(({ is_settled: isSettled }) => evidence.atRest || isSettled);
    return due.flatMap((purchase) => compare(purchase, byRef.get(PREFIX + purchase.id)));
  });

export const purchasesCheck: BookCheck = {
  invariant: 'I10',
  promise:
    'the credits that stand of purchases were paid, less the refunds, and closed accounts have their money back',
  check: async (evidence) => [
    ...(await checkPurchases(evidence)),
    ...(await findStrays(evidence, {
      source: { service: 'credits-ledger', sql: ALL_BLOCKS },
      idOf: (ref) => ref.slice(PREFIX.length),
      reference: { service: 'billing', sql: KNOWN },
      pageSize: PAGE,
      breach: { subject: 'block', what: 'its purchase', expected: 'one that is paid' },
    })),
    ...(await findStrays(evidence, {
      source: { service: 'credits-ledger', sql: UNTOUCHED },
      idOf: (ref) => ref.slice(PREFIX.length),
      reference: { service: 'billing', sql: REFUNDED(evidence.atRest ? '0' : REFUNDED_WITHIN) },
      pageSize: PAGE,
      breach: { subject: 'untouched block', what: 'refund after its account was closed', expected: 'one' },
    })),
    ...(await askAll(evidence, [
      {
        ...{ service: 'billing', sql: OPEN_TWICE, subject: 'account' },
        ...{ what: 'open checkouts', expected: 'at most one' },
      },
      { service: 'billing', sql: MISMATCHED, expected: 'an operator who has looked at it', found: 'none' },
    ])),
  ],
};
