import { type BookCheck, type Breach, checkPagesById, type Evidence, findStrays } from './evidence.ts';

type Search = { id: string; account_id: string; state: string; settlement: string | null };
type SearchReservation = {
  ref: string;
  state: string;
  charged: number;
  refunded: number;
  is_closed: boolean;
};

const PAGE = 5_000;

/** What is older than a week is purged by its service. */
const SEARCHES = `
  SELECT id, account_id, state, settlement FROM searches
  WHERE id > $1 AND created_at > now() - interval '6 days' ORDER BY id LIMIT ${PAGE}`;
const KNOWN = 'SELECT id FROM searches WHERE id = ANY ($1::uuid[])';
const HELD = `
  SELECT r.ref, CASE WHEN r.resolved_at IS NULL THEN 'open' WHEN bit_count(r.charged) > 0 THEN 'settled' ELSE 'released' END AS state,
    r.unit * bit_count(r.charged)::int AS charged, r.unit * bit_count(r.refunded)::int AS refunded, a.status = 'closed' AS is_closed
  FROM reservations AS r JOIN accounts AS a ON a.account_id = r.account_id
  WHERE r.ref = ANY ($1)`;
const SEARCH_REFS = `
  SELECT r.ref AS key FROM reservations AS r
  WHERE r.reason = 'search' AND (r.resolved_at IS NULL OR bit_count(r.charged) > 0) AND r.ref > $1 AND r.created_at > now() - interval '5 days'
  ORDER BY r.ref LIMIT ${PAGE}`;

const isResolved = ({ state, settlement }: Search): boolean =>
  state === 'delivered' || (state === 'failed' && settlement !== null);

/** Closed accounts are given nothing back. */
const paidCredits = ({ charged, refunded, is_closed: isClosed }: SearchReservation, price: number): number =>
  isClosed && refunded === 0 ? Math.min(charged, price) : charged - refunded;

const compare = (search: Search, reservation: SearchReservation | undefined): Breach[] => {
  // What the ledger lost in a restore, and the account could not be charged for any more, is free.
  const price = search.state === 'delivered' && search.settlement !== 'uncollected' ? 1 : 0;
  const found = reservation ? paidCredits(reservation, price) : 0;
  if (found === price && reservation?.state !== 'open') return [];
  const subject = `search ${search.id} of account ${search.account_id}`;
  const what = `credits of the ${search.state} search`;
  return [
    {
      subject,
      what,
      expected: `${price} paid`,
      found: `${found} paid, ${reservation?.state ?? 'none held'}`,
    },
  ];
};

const check = (search: Search, reservation: SearchReservation | undefined, atRest: boolean): Breach[] => {
  if (isResolved(search)) return compare(search, reservation);
  const found = `${search.state}, ${search.settlement}`;
  return atRest
    ? [{ subject: `search ${search.id}`, what: 'a search at rest', expected: 'ended and resolved', found }]
    : [];
};

const checkSearches = (evidence: Evidence): Promise<Breach[]> =>
  checkPagesById<Search>(evidence, { service: 'search', sql: SEARCHES, pageSize: PAGE }, async (page) => {
    const reservations = await evidence.rows<SearchReservation>('credits-ledger', HELD, [
      page.map(({ id }) => id),
    ]);
    const byRef = new Map(reservations.map((one) => [one.ref, one]));
    return page.flatMap((search) => check(search, byRef.get(search.id), evidence.atRest));
  });

export const searchesCheck: BookCheck = {
  invariant: 'I2',
  promise: 'a delivered page of a search is paid once, and nothing else is',
  check: async (evidence) => [
    ...(await checkSearches(evidence)),
    // Every credit that is held or was charged for a search belongs to one.
    ...(await findStrays(evidence, {
      source: { service: 'credits-ledger', sql: SEARCH_REFS },
      reference: { service: 'search', sql: KNOWN },
      pageSize: PAGE,
      breach: { subject: 'reservation', what: 'its search', expected: 'one' },
    })),
  ],
};
