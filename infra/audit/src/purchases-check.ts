import type { BookCheck } from './check.ts';
import type { Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';

type Loose = Omit<Finding, 'invariant'>;
type Sold = { id: string; account_id: string | null; worth: number; is_settled: boolean };
type Block = { ref: string; account_id: string; standing: number };

const PAGE = 5_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const PREFIX = 'purchase:';

/**
 * What stands of each purchase that is paid, recomputed from the money that has moved: a part of it takes that part of the credits. Of
 * a stranger's purchase nothing stands before it is accepted.
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
const BLOCKS = 'SELECT ref, account_id, standing FROM blocks WHERE ref = ANY ($1)';
const ALL_BLOCKS = `SELECT ref FROM blocks WHERE ref > $1 ORDER BY ref LIMIT ${PAGE}`;
const KNOWN = `SELECT id FROM purchases WHERE id = ANY ($1::uuid[]) AND state = 'paid'`;
const MISFITS =
  'SELECT id, code, purchase_id FROM misfits WHERE looked_at IS NULL ORDER BY noted_at LIMIT 1000';
const OPEN_TWICE = `
  SELECT account_id, count(*)::int AS open FROM purchases WHERE state IN ('opening', 'open') AND account_id IS NOT NULL
  GROUP BY account_id HAVING count(*) > 1`;

const compare = (sold: Sold, block: Block | undefined): Loose[] => {
  const subject = `purchase ${sold.id} of account ${sold.account_id ?? 'none'}`;
  const found = block?.standing ?? 0;
  if (block && block.account_id !== sold.account_id)
    return [
      { subject, what: 'account of its block', expected: `${sold.account_id}`, found: block.account_id },
    ];
  if (found === sold.worth) return [];
  return [{ subject, what: 'credits that stand of it', expected: `${sold.worth}`, found: `${found}` }];
};

async function checkSold({ rows, atRest }: Evidence): Promise<Loose[]> {
  const findings: Loose[] = [];
  for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
    const page: Sold[] = await rows<Sold>('billing', SOLD, [after]);
    const blocks = await rows<Block>('credits-ledger', BLOCKS, [page.map(({ id }) => PREFIX + id)]);
    const byRef = new Map(blocks.map((block) => [block.ref, block]));
    // What is under way is only wrong where nothing may be.
    const due = page.filter(({ is_settled: isSettled }) => atRest || isSettled);
    findings.push(...due.flatMap((sold) => compare(sold, byRef.get(PREFIX + sold.id))));
    after = page.length === PAGE ? page.at(-1)?.id : undefined;
  }
  return findings;
}

async function checkBlocks({ rows }: Evidence): Promise<Loose[]> {
  const findings: Loose[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const refs: string[] = (await rows<{ ref: string }>('credits-ledger', ALL_BLOCKS, [after])).map(
      ({ ref }) => ref,
    );
    const ids = refs.map((ref) => ref.slice(PREFIX.length));
    const known = new Set((await rows<{ id: string }>('billing', KNOWN, [ids])).map(({ id }) => id));
    for (const id of ids.filter((one) => !known.has(one)))
      findings.push({
        subject: `block ${id}`,
        what: 'its purchase',
        expected: 'one that is paid',
        found: 'none',
      });
    after = refs.length === PAGE ? refs.at(-1) : undefined;
  }
  return findings;
}

const checkOpen = async ({ rows }: Evidence): Promise<Loose[]> =>
  (await rows<{ account_id: string; open: number }>('billing', OPEN_TWICE)).map(({ account_id, open }) => ({
    ...{
      subject: `account ${account_id}`,
      what: 'open checkouts',
      expected: 'at most one',
      found: `${open}`,
    },
  }));

type Misfit = { id: string; code: string; purchase_id: string | null };

const checkMisfits = async ({ rows }: Evidence): Promise<Loose[]> =>
  (await rows<Misfit>('billing', MISFITS, [])).map(({ id, code, purchase_id: purchaseId }) => ({
    ...{ subject: `payment ${id} of purchase ${purchaseId ?? 'none'}`, what: code },
    ...{ expected: 'an operator who has looked at it', found: 'none' },
  }));

export const purchasesCheck: BookCheck = {
  invariant: 'I10',
  promise: 'what stands of purchases is what was paid less what was given back',
  look: async (evidence) => [
    ...(await checkSold(evidence)),
    ...(await checkBlocks(evidence)),
    ...(await checkOpen(evidence)),
    ...(await checkMisfits(evidence)),
  ],
};
