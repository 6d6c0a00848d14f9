import { ask, type BookCheck, type Breach, checkPages, type Evidence, FIRST_ID } from './evidence.ts';

/** A reservation as it stands: a character for each item, from item 1 on; what is beyond the end is 0. */
type Reserved = {
  readonly ref: string;
  readonly account_id: string | null;
  readonly unit: number;
  readonly items: string;
  readonly charged: string;
  readonly released: string;
  readonly refunded: string;
  readonly is_closed: boolean;
};

type ItemState = 'held' | 'charged' | 'released' | 'refunded' | 'none';

const RESERVED = `
  SELECT r.ref, r.account_id, r.unit, r.items::text, r.charged::text, r.released::text, r.refunded::text,
    coalesce(a.status = 'closed', false) AS is_closed
  FROM reservations AS r LEFT JOIN accounts AS a ON a.account_id = r.account_id`;

const readReservations = async (
  { rows }: Evidence,
  refs: readonly string[],
): Promise<ReadonlyMap<string, Reserved>> => {
  const sql = `${RESERVED} WHERE r.ref = ANY ($1)`;
  const results = await rows<Reserved>('credits-ledger', sql, [refs]);
  return new Map(results.map((reserved) => [reserved.ref, reserved]));
};

const has = (bits: string, item: number): boolean => bits[item - 1] === '1';

const stateOf = (reserved: Reserved | undefined, item: number): ItemState => {
  if (!reserved) return 'none';
  if (has(reserved.refunded, item)) return 'refunded';
  if (has(reserved.charged, item)) return 'charged';
  if (has(reserved.released, item)) return 'released';
  return has(reserved.items, item) ? 'held' : 'none';
};

/** The items that are or may be charged. */
const findOpenOrCharged = (reserved: Reserved): number[] => {
  const longest = Math.max(reserved.items.length, reserved.charged.length);
  return Array.from({ length: longest }, (_, index) => index + 1).filter((item) =>
    ['held', 'charged'].includes(stateOf(reserved, item)),
  );
};

/** A row of the fetcher that an item of a reservation pays for. */
type Row = {
  readonly id: string;
  readonly account_id: string;
  readonly ref: string;
  readonly item: number;
  readonly state: string;
  readonly charge: number;
  readonly uncollected: boolean;
  /** The ledger has not heard of it yet. */
  readonly is_due: boolean;
};
type Place = Pick<Row, 'ref' | 'item'>;

const PAGE = 5_000;
const BEFORE_ALL: Place = { ref: FIRST_ID, item: 0 };

const ROWS = `
  WITH due AS MATERIALIZED (SELECT (r ->> 'ref')::uuid AS ref FROM settlements CROSS JOIN LATERAL jsonb_array_elements(reservations) AS r)
  SELECT id, account_id, ref, item, state, charge, uncollected, ref IN (SELECT ref FROM due) AS is_due FROM operations
  WHERE ref IS NOT NULL AND (ref, item) > ($1::uuid, $2) ORDER BY ref, item LIMIT ${PAGE}`;
const ITEMS_WITH_ROWS = 'SELECT ref, item FROM operations WHERE ref = ANY ($1::uuid[])';
/** Rows that were paid before the fetcher's database was restored: the record of their job has them. */
const PAID_ROWS = `
  SELECT job_id || ' ' || position + 1 AS item FROM job_rows WHERE job_id = ANY ($1::uuid[]) AND credits_charged > 0`;
/** Older rows are purged by their service after eight days. */
const PAID_OR_HELD = `
  ${RESERVED.replace('SELECT', 'SELECT r.job_id,')}
  WHERE r.reason = 'transcript' AND (r.resolved_at IS NULL OR bit_count(r.charged) > bit_count(r.refunded))
    AND r.ref > $1 AND r.created_at > now() - interval '6 days'
  ORDER BY r.ref LIMIT ${PAGE}`;
/** The ledger's own checks compare the items. */
const STRAY_CHARGES = `
  SELECT 'account ' || e.account_id AS subject, 'charges of ' || e.ref AS what FROM entries AS e
  WHERE e.kind IN ('settle', 'charge')
    AND NOT EXISTS (SELECT FROM reservations AS r WHERE r.ref = e.ref AND r.account_id = e.account_id AND bit_count(r.charged) > 0)
  GROUP BY e.ref, e.account_id
  LIMIT 50`;

/** The possible states of the item of a row; the first is its last state. */
const statesFor = (row: Row, isClosed: boolean): readonly ItemState[] => {
  const { state, charge, uncollected, is_due: isDue } = row;
  if (state === 'opened') return ['held', 'none', 'released'];
  if (state === 'ready' || state === 'fetching') return ['held', 'none'];
  // A restored ledger may have lost what is reported next.
  const untold: ItemState[] = isDue ? ['held', 'none'] : [];
  // The account could not pay any more when the ledger had lost it.
  if (charge > 0) return uncollected ? ['none', 'released'] : ['charged', ...untold];
  // What was charged and waived later; closed accounts are given nothing back.
  const charged: ItemState[] = isDue || (isClosed && state === 'delivered') ? ['charged'] : [];
  return ['released', 'none', ...(state === 'delivered' ? (['refunded'] as const) : []), ...untold, ...charged];
};

const compare = (row: Row, reserved: Reserved | undefined): Breach[] => {
  const { item, state, charge, account_id: account } = row;
  const subject = `operation ${row.id} of account ${account}`;
  const allowed = statesFor(row, reserved?.is_closed === true);
  const found = stateOf(reserved, item);
  if (!allowed.includes(found)) {
    const what = `item of the ${state} row (charge ${charge})`;
    return [{ subject, what, expected: allowed.join(' or '), found }];
  }
  if (!reserved?.account_id) return [];
  if (reserved.account_id !== account)
    return [{ subject, what: 'account that pays', expected: account, found: reserved.account_id }];
  return charge === 0 || charge === reserved.unit
    ? []
    : [{ subject, what: 'price of its item', expected: `${charge}`, found: `${reserved.unit}` }];
};

const unfinished = ({ id, account_id, state, is_due: isDue }: Row): Breach[] =>
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

const sameItem = (one: Place, other: Place | undefined): boolean =>
  one.ref === other?.ref && one.item === other.item;

const duplicateRow = ({ ref, item }: Place): Breach => ({
  subject: `reservation ${ref}`,
  what: `rows of item ${item}`,
  expected: 'one',
  found: 'several',
});

/** Rows are read first: the ledger is always ahead of them. */
const checkRows = (evidence: Evidence): Promise<Breach[]> =>
  checkPages(
    PAGE,
    BEFORE_ALL,
    ({ ref, item }) => evidence.rows<Row>('transcript-fetcher', ROWS, [ref, item]),
    (row): Place => row,
    async (page) => {
      const reserved = await readReservations(evidence, [...new Set(page.map(({ ref }) => ref))]);
      return page.flatMap((row, index) => [
        ...compare(row, reserved.get(row.ref)),
        ...(evidence.atRest ? unfinished(row) : []),
        ...(sameItem(row, page[index - 1]) ? [duplicateRow(row)] : []),
      ]);
    },
  );

type JobReservation = Reserved & { readonly job_id: string | null };

/** Every credit that is held or was charged for a transcript belongs to a row, here or in the record of its job. */
const checkItems = ({ rows }: Evidence): Promise<Breach[]> =>
  checkPages(
    PAGE,
    '',
    (after) => rows<JobReservation>('credits-ledger', PAID_OR_HELD, [after]),
    ({ ref }) => ref,
    async (page) => {
      const fetcherRows = await rows<Place>('transcript-fetcher', ITEMS_WITH_ROWS, [
        page.map(({ ref }) => ref),
      ]);
      const jobs = [...new Set(page.flatMap(({ job_id }) => job_id ?? []))];
      const jobRows = await rows<{ item: string }>('bulk-orchestrator', PAID_ROWS, [jobs]);
      const rowKeys = new Set([
        ...fetcherRows.map(({ ref, item }) => `${ref} ${item}`),
        ...jobRows.map(({ item }) => item),
      ]);
      return page.flatMap((reserved) =>
        findOpenOrCharged(reserved).flatMap((item) => {
          const state = stateOf(reserved, item);
          if (rowKeys.has(`${reserved.ref} ${item}`)) return [];
          if (state === 'charged' && rowKeys.has(`${reserved.job_id} ${item}`)) return [];
          const subject = `item ${item} of reservation ${reserved.ref}`;
          return [{ subject, what: `row of a ${state} item`, expected: 'one', found: 'none' }];
        }),
      );
    },
  );

export const chargesCheck: BookCheck = {
  invariant: 'I2',
  promise: 'a delivery is charged exactly once, and nothing else is',
  check: async (evidence) => [
    ...(await checkRows(evidence)),
    ...(await checkItems(evidence)),
    ...(await ask(evidence, {
      ...{ service: 'credits-ledger', sql: STRAY_CHARGES },
      ...{ expected: 'of a reservation of this account', found: 'of another' },
    })),
  ],
};
