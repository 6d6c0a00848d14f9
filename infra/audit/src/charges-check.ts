import type { BookCheck } from './check.ts';
import type { Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';
import { openOrCharged, type PartState, RESERVED, type Reserved, reservedUnder, stateOf } from './parts.ts';

type Loose = Omit<Finding, 'invariant'>;
/** A row of the fetcher that a part of a reservation pays for. */
type Row = {
  readonly id: string;
  readonly account_id: string;
  readonly ref: string;
  readonly part: number;
  readonly state: string;
  readonly charge: number;
  readonly uncollected: boolean;
  /** The ledger has not heard of it yet. */
  readonly is_due: boolean;
};
type Place = Pick<Row, 'ref' | 'part'>;

const PAGE = 5_000;
const BEFORE_ALL: Place = { ref: '00000000-0000-0000-0000-000000000000', part: 0 };

const ROWS = `
  WITH due AS MATERIALIZED (SELECT (r ->> 'ref')::uuid AS ref FROM dues CROSS JOIN LATERAL jsonb_array_elements(rounds) AS r)
  SELECT id, account_id, ref, part, state, charge, uncollected, ref IN (SELECT ref FROM due) AS is_due FROM operations
  WHERE ref IS NOT NULL AND (ref, part) > ($1::uuid, $2) ORDER BY ref, part LIMIT ${PAGE}`;
const PARTS_WITH_ROWS = 'SELECT ref, part FROM operations WHERE ref = ANY ($1::uuid[])';
/** What of jobs was delivered and paid before the fetcher's database was put back: their record says so. */
const PAID_ROWS = `
  SELECT job_id || ' ' || position + 1 AS part FROM job_rows WHERE job_id = ANY ($1::uuid[]) AND credits_charged > 0`;
/** Older rows are purged by their service after eight days. */
const PAID_OR_HELD = `
  ${RESERVED.replace('SELECT', 'SELECT r.job_id,')}
  WHERE r.reason = 'transcript' AND (r.resolved_at IS NULL OR bit_count(r.charged) > bit_count(r.refunded))
    AND r.ref > $1 AND r.created_at > now() - interval '6 days'
  ORDER BY r.ref LIMIT ${PAGE}`;
/** The ledger's own checks compare the parts. */
const STRAY_CHARGES = `
  SELECT e.ref, e.account_id FROM entries AS e
  WHERE e.kind IN ('settle', 'charge')
    AND NOT EXISTS (SELECT FROM reservations AS r WHERE r.ref = e.ref AND r.account_id = e.account_id AND bit_count(r.charged) > 0)
  GROUP BY e.ref, e.account_id
  LIMIT 50`;

/** What may have become of the part of a row; the first is what it comes to. */
const statesFor = (row: Row, isClosed: boolean): readonly PartState[] => {
  const { state, charge, uncollected, is_due: isDue } = row;
  if (state === 'opened') return ['held', 'none', 'given back'];
  if (state === 'ready' || state === 'fetching') return ['held', 'none'];
  // A restored ledger may have lost what is reported next.
  const untold: PartState[] = isDue ? ['held', 'none'] : [];
  // The account could not pay any more when the ledger had lost it.
  if (charge > 0) return uncollected ? ['none', 'given back'] : ['charged', ...untold];
  // What was charged and disowned later; closed accounts are given nothing back.
  const charged: PartState[] = isDue || (isClosed && state === 'delivered') ? ['charged'] : [];
  return [
    'given back',
    'none',
    ...(state === 'delivered' ? (['refunded'] as const) : []),
    ...untold,
    ...charged,
  ];
};

const compare = (row: Row, reserved: Reserved | undefined): Loose[] => {
  const { part, state, charge, account_id: account } = row;
  const subject = `operation ${row.id} of account ${account}`;
  const allowed = statesFor(row, reserved?.is_closed === true);
  const found = stateOf(reserved, part);
  if (!allowed.includes(found)) {
    const what = `part of the ${state} row (charge ${charge})`;
    return [{ subject, what, expected: allowed.join(' or '), found }];
  }
  if (!reserved?.account_id) return [];
  if (reserved.account_id !== account)
    return [{ subject, what: 'account that pays', expected: account, found: reserved.account_id }];
  return charge === 0 || charge === reserved.unit
    ? []
    : [{ subject, what: 'price of its part', expected: `${charge}`, found: `${reserved.unit}` }];
};

const unfinished = ({ id, account_id, state, is_due: isDue }: Row): Loose[] =>
  ['delivered', 'failed', 'cancelled'].includes(state) && !isDue
    ? []
    : [
        {
          subject: `operation ${id} of account ${account_id}`,
          what: 'a row at rest',
          expected: 'ended, and reported to the ledger',
          found: isDue ? `${state}, not reported` : state,
        },
      ];

const samePart = (one: Place, other: Place | undefined): boolean =>
  one.ref === other?.ref && one.part === other.part;

const twice = ({ ref, part }: Place): Loose => ({
  subject: `reservation ${ref}`,
  what: `rows of part ${part}`,
  expected: 'one',
  found: 'several',
});

/** Rows are read first: the ledger is always ahead of what they know of it. */
async function checkRows(evidence: Evidence): Promise<Loose[]> {
  const findings: Loose[] = [];
  for (let after: Place | undefined = BEFORE_ALL; after !== undefined; ) {
    const page: Row[] = await evidence.rows<Row>('transcript-fetcher', ROWS, [after.ref, after.part]);
    const reserved = await reservedUnder(evidence, [...new Set(page.map(({ ref }) => ref))]);
    for (const [index, row] of page.entries()) {
      findings.push(...compare(row, reserved.get(row.ref)));
      if (evidence.atRest) findings.push(...unfinished(row));
      if (samePart(row, page[index - 1])) findings.push(twice(row));
    }
    after = page.length === PAGE ? page.at(-1) : undefined;
  }
  return findings;
}

type OfJob = Reserved & { readonly job_id: string | null };

/** Every credit that is held or was charged for a transcript belongs to a row, here or in the record of its job. */
async function checkParts({ rows }: Evidence): Promise<Loose[]> {
  const findings: Loose[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: OfJob[] = await rows<OfJob>('credits-ledger', PAID_OR_HELD, [after]);
    const refs = page.map(({ ref }) => ref);
    const there = await rows<Place>('transcript-fetcher', PARTS_WITH_ROWS, [refs]);
    const jobs = [...new Set(page.flatMap(({ job_id }) => job_id ?? []))];
    const paid = await rows<{ part: string }>('bulk-orchestrator', PAID_ROWS, [jobs]);
    const known = new Set([
      ...there.map(({ ref, part }) => `${ref} ${part}`),
      ...paid.map(({ part }) => part),
    ]);
    for (const reserved of page)
      for (const part of openOrCharged(reserved)) {
        if (known.has(`${reserved.ref} ${part}`)) continue;
        const state = stateOf(reserved, part);
        if (state === 'charged' && known.has(`${reserved.job_id} ${part}`)) continue;
        const subject = `part ${part} of reservation ${reserved.ref}`;
        findings.push({ subject, what: `row of a ${state} part`, expected: 'one', found: 'none' });
      }
    after = page.length === PAGE ? refs.at(-1) : undefined;
  }
  return findings;
}

async function checkStrayCharges({ rows }: Evidence): Promise<Loose[]> {
  const strays = await rows<{ ref: string; account_id: string }>('credits-ledger', STRAY_CHARGES);
  return strays.map(({ ref, account_id }) => ({
    subject: `account ${account_id}`,
    what: `charges of ${ref}`,
    expected: 'of a reservation of this account',
    found: 'of another',
  }));
}

export const chargesCheck: BookCheck = {
  invariant: 'I2',
  promise: 'a delivery is charged exactly once, and nothing else is',
  look: async (evidence) => [
    ...(await checkRows(evidence)),
    ...(await checkParts(evidence)),
    ...(await checkStrayCharges(evidence)),
  ],
};
