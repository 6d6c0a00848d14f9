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

/** Longer than any operation holds a credit: three minutes, and as long again for a late settlement. */
const LONGEST_HOLD_SECONDS = 600;
/**
 * The reservations of jobs are compared with the jobs, which may be paused for days. Any other in parts is charged for hours: what
 * no part was charged of for a day has been forgotten.
 */
const LONGEST_REST_OF_A_JOB_SECONDS = 86_400;
const HELD_FOR_LONG = `
  SELECT r.ref, r.account_id, CASE r.state WHEN 'open' THEN 'open' ELSE
           format('%s of %s credits held', r.amount - p.credits_charged, r.amount) END AS found
  FROM reservations AS r LEFT JOIN reservation_parts AS p USING (ref)
  WHERE r.resolved_at IS NULL AND r.reason IS DISTINCT FROM 'job' AND CASE r.state
    WHEN 'open' THEN r.created_at < now() - $1 * interval '1 second'
    ELSE greatest(r.created_at, (
      SELECT max(e.created_at) FROM entries AS e WHERE e.account_id = r.account_id AND e.ref = r.ref AND e.parts IS NOT NULL
    )) < now() - $2 * interval '1 second'
  END
  ORDER BY r.ref LIMIT 50`;

type Held = { readonly ref: string; readonly account_id: string; readonly found: string };

export const heldCreditsCheck: BookCheck = {
  invariant: 'I1',
  promise: 'no credit is held for ever',
  look: async ({ rows, atRest }) => {
    const longest = atRest ? [0, 0] : [LONGEST_HOLD_SECONDS, LONGEST_REST_OF_A_JOB_SECONDS];
    const held = await rows<Held>('credits-ledger', HELD_FOR_LONG, longest);
    return held.map(({ ref, account_id, found }) => ({
      subject: `account ${account_id}`,
      what: `reservation ${ref}`,
      expected: 'settled or released',
      found,
    }));
  },
};
