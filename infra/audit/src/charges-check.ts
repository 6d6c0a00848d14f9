import type { BookCheck } from './check.ts';
import type { Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';

type Loose = Omit<Finding, 'invariant'>;
type Operation = { id: string; account_id: string; state: string; settlement: string; charge: number };
type Reservation = {
  ref: string;
  account_id: string | null;
  amount: number;
  state: string;
  settles: number;
  charged: number;
  /** Given back after it was charged. */
  refunded: number;
  is_closed: boolean;
};

const PAGE = 5_000;

const OPERATIONS = `
  SELECT id, account_id, state, settlement, charge FROM operations
  WHERE id > $1 ORDER BY id LIMIT ${PAGE}`;
const OPERATIONS_BY_ID =
  'SELECT id, account_id, state, settlement, charge FROM operations WHERE id = ANY ($1::uuid[])';
const RESERVATIONS = `
  SELECT r.ref, r.account_id, r.amount, r.state, coalesce(s.settles, 0) AS settles, coalesce(s.charged, 0) AS charged,
    (SELECT coalesce(sum(e.purchased_delta), 0)::int FROM entries AS e
     WHERE e.account_id = r.account_id AND e.kind = 'grant' AND e.ref = 'refund:' || r.ref AND e.reserved_delta = 0) AS refunded,
    a.status = 'closed' AS is_closed
  FROM reservations AS r LEFT JOIN accounts AS a ON a.account_id = r.account_id LEFT JOIN (
    SELECT ref, count(*)::int AS settles, sum(-reserved_delta)::int AS charged
    FROM entries WHERE kind = 'settle' AND ref = ANY ($1) GROUP BY ref
  ) AS s ON s.ref = r.ref
  WHERE r.ref = ANY ($1)`;
/** Older operations are purged by their service after seven days. */
const TRANSCRIPT_REFS = `
  SELECT r.ref FROM reservations AS r JOIN entries AS e ON e.account_id = r.account_id AND e.kind = 'reserve' AND e.ref = r.ref
  WHERE e.reason = 'transcript' AND r.state <> 'released' AND r.ref > $1 AND r.created_at > now() - interval '6 days'
  ORDER BY r.ref LIMIT ${PAGE}`;
/** The ledger's own checks compare those of reservations in parts, which may have many. */
const STRAY_SETTLES = `
  SELECT e.ref, e.account_id FROM entries AS e
  WHERE e.kind = 'settle' AND e.parts IS NULL GROUP BY e.ref, e.account_id
  HAVING count(*) > 1 OR NOT EXISTS (SELECT FROM reservations AS r WHERE r.ref = e.ref AND r.state = 'settled')
  LIMIT 50`;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * The states that a reservation may have, given its operation; the first is what it comes to. What was settled and is
 * not to be charged any more (its request was answered with a 5xx) is given back by a grant.
 */
const statesFor = ({ state, settlement, charge }: Operation): readonly string[] => {
  // It holds no credit: whoever sent the batch pays its charge, by a reservation of its own.
  if (settlement === 'by_caller') return ['none'];
  if (state === 'reserving' || state === 'fetching') return ['open', 'none', 'released'];
  // The ledger lost it in a restore, and the account could not pay any more.
  if (settlement === 'uncollected') return ['none', 'released'];
  const resolved = charge > 0 ? 'settled' : 'released';
  if (settlement !== 'pending') return charge > 0 ? [resolved] : [resolved, 'none', ...refundable(state)];
  return charge > 0 ? [resolved, 'open'] : [resolved, 'open', 'none', ...refundable(state)];
};

/** Only a delivery can have been charged. */
const refundable = (state: string): readonly string[] => (state === 'delivered' ? ['settled'] : []);

/** What the account has paid for it in the end. Closed accounts are given nothing back. */
const paid = ({ charged, refunded, is_closed: isClosed }: Reservation, charge: number): number =>
  isClosed && refunded === 0 ? Math.min(charged, charge) : charged - refunded;

const compare = (operation: Operation, held: Reservation | undefined): Loose[] => {
  const subject = `operation ${operation.id} of account ${operation.account_id}`;
  const what = `reservation of the ${operation.state} operation (charge ${operation.charge})`;
  const allowed = statesFor(operation);
  const found = held?.account_id ? held.state : 'none';
  if (!allowed.includes(found)) return [{ subject, what, expected: allowed.join(' or '), found }];
  if (held?.account_id && held.account_id !== operation.account_id)
    return [{ subject, what: 'account that pays', expected: operation.account_id, found: held.account_id }];
  const { charge } = operation;
  const expected = found === 'settled' ? 1 : 0;
  const { settles = 0, charged = 0, refunded = 0 } = held ?? {};
  if (settles === expected && (held ? paid(held, charge) : 0) === expected * charge) return [];
  const counted = `${settles} of ${charged} credits, ${refunded} given back`;
  return [
    { subject, what: 'settlements in the ledger', expected: `${expected}, ${charge} paid`, found: counted },
  ];
};

const unfinished = ({ id, account_id, state, settlement }: Operation): Loose[] =>
  (state === 'delivered' || state === 'failed') && settlement !== 'pending'
    ? []
    : [
        {
          subject: `operation ${id} of account ${account_id}`,
          what: 'an operation at rest',
          expected: 'ended and resolved',
          found: `${state}, ${settlement}`,
        },
      ];

const reservationsOf = async ({ rows }: Evidence, refs: readonly string[]) => {
  const found = await rows<Reservation>('credits-ledger', RESERVATIONS, [refs]);
  return new Map(found.map((reservation) => [reservation.ref, reservation]));
};

/** Operations are read first: the ledger is always ahead of what they know of it. */
async function checkOperations(evidence: Evidence): Promise<Loose[]> {
  const findings: Loose[] = [];
  for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
    const page: Operation[] = await evidence.rows<Operation>('transcript-fetcher', OPERATIONS, [after]);
    const held = await reservationsOf(
      evidence,
      page.map(({ id }) => id),
    );
    for (const operation of page) {
      findings.push(...compare(operation, held.get(operation.id)));
      if (evidence.atRest) findings.push(...unfinished(operation));
    }
    after = page.length === PAGE ? page.at(-1)?.id : undefined;
  }
  return findings;
}

/** Every credit that is held or was charged for a transcript belongs to an operation. */
async function checkOrphans({ rows }: Evidence): Promise<Loose[]> {
  const findings: Loose[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: { ref: string }[] = await rows<{ ref: string }>('credits-ledger', TRANSCRIPT_REFS, [after]);
    const refs = page.map(({ ref }) => ref);
    const known = await rows<Operation>('transcript-fetcher', OPERATIONS_BY_ID, [refs]);
    const ids = new Set(known.map(({ id }) => id));
    for (const ref of refs.filter((each) => !ids.has(each)))
      findings.push({ subject: `reservation ${ref}`, what: 'its operation', expected: 'one', found: 'none' });
    after = page.length === PAGE ? refs.at(-1) : undefined;
  }
  return findings;
}

async function checkStraySettles({ rows }: Evidence): Promise<Loose[]> {
  const strays = await rows<{ ref: string; account_id: string }>('credits-ledger', STRAY_SETTLES);
  return strays.map(({ ref, account_id }) => ({
    subject: `account ${account_id}`,
    what: `settlements of ${ref}`,
    expected: 'one, of a settled reservation',
    found: 'another',
  }));
}

export const chargesCheck: BookCheck = {
  invariant: 'I2',
  promise: 'a delivery is settled exactly once, and nothing else is charged',
  look: async (evidence) => [
    ...(await checkOperations(evidence)),
    ...(await checkOrphans(evidence)),
    ...(await checkStraySettles(evidence)),
  ],
};
