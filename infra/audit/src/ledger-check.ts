import { checkBooks, checkNewBooks, type Finding as LedgerFinding } from '@tds/credits-ledger';
import type { BookCheck } from './check.ts';

const lookWith =
  (check: typeof checkBooks): BookCheck['look'] =>
  (evidence) =>
    evidence.connected('credits-ledger', async (connection) =>
      (await check(connection)).map(({ account, ...finding }: LedgerFinding) => ({
        ...finding,
        subject: `account ${account ?? 'none'}`,
      })),
    );

export const ledgerCheck: BookCheck = {
  invariant: 'I1',
  promise: 'balances, reservations and entries add up, and no bucket is below zero',
  look: lookWith(checkBooks),
};

/** Takes what is sealed at its word, so it takes no longer with years of books. */
export const newBooksCheck: BookCheck = {
  invariant: 'I1',
  promise: 'balances and reservations are what was sealed and what came since',
  look: lookWith(checkNewBooks),
};

const MONTH_AHEAD = `
  SELECT to_char(month, 'YYYY-MM') AS month
  FROM (SELECT (period_of(now()) + interval '1 month')::date AS month) AS next WHERE NOT month_is_open(month)`;

export const monthAheadCheck: BookCheck = {
  invariant: 'I1',
  promise: 'the books of the next month are open',
  look: async ({ rows }) =>
    (await rows<{ month: string }>('credits-ledger', MONTH_AHEAD)).map(({ month }) => ({
      subject: `month ${month}`,
      what: 'the books of the next month',
      expected: 'open',
      found: 'not open',
    })),
};

/** Longer than any read holds a credit: three minutes, and as long again until the ledger hears of it. */
const LONGEST_HOLD_SECONDS = 600;
/** Rows of a job may wait for their turn for long: what is held for them is compared with the rows. */
const HELD_FOR_LONG = `
  SELECT r.ref, r.account_id, format('%s credits held', r.held_free + r.held_purchased) AS found
  FROM reservations AS r
  WHERE r.resolved_at IS NULL AND (r.job_id IS NULL OR $2) AND r.created_at < now() - $1 * interval '1 second'
  ORDER BY r.ref LIMIT 50`;

type Held = { readonly ref: string; readonly account_id: string; readonly found: string };

export const heldCreditsCheck: BookCheck = {
  invariant: 'I1',
  promise: 'no credit is held for ever',
  look: async ({ rows, atRest }) => {
    const asked = [atRest ? 0 : LONGEST_HOLD_SECONDS, atRest];
    const held = await rows<Held>('credits-ledger', HELD_FOR_LONG, asked);
    return held.map(({ ref, account_id, found }) => ({
      subject: `account ${account_id}`,
      what: `reservation ${ref}`,
      expected: 'settled or released',
      found,
    }));
  },
};
