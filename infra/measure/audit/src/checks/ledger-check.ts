import { checkBooks, checkNewBooks, type Finding as LedgerFinding } from '../books/check-books.ts';
import { ask, type BookCheck } from './evidence.ts';

const checkWith =
  (check: typeof checkBooks): BookCheck['check'] =>
  (evidence) =>
    evidence.withConnection('credits-ledger', async (connection) =>
      (await check(connection)).map(({ account, ...finding }: LedgerFinding) => ({
        ...finding,
        subject: `account ${account ?? 'none'}`,
      })),
    );

export const ledgerCheck: BookCheck = {
  invariant: 'I1',
  promise: 'balances, reservations and entries add up, and no bucket is below zero',
  check: checkWith(checkBooks),
};

/** Trusts the seals, so it takes no longer with years of books. */
export const newBooksCheck: BookCheck = {
  invariant: 'I1',
  promise: 'balances and reservations are those that were sealed, and the entries since',
  check: checkWith(checkNewBooks),
};

const MONTH_AHEAD = `
  SELECT to_char(month, 'YYYY-MM') AS id
  FROM (SELECT (period_of(now()) + interval '1 month')::date AS month) AS next WHERE NOT month_is_open(month)`;

export const monthAheadCheck: BookCheck = {
  invariant: 'I1',
  promise: 'the books of the next month are open',
  check: (evidence) =>
    ask(evidence, {
      ...{ service: 'credits-ledger', sql: MONTH_AHEAD, subject: 'month' },
      ...{ what: 'the books of the next month', expected: 'open', found: 'not open' },
    }),
};

/** Longer than any read holds a credit: three minutes, and as long again until the ledger hears of it. */
const MAX_HOLD_SECONDS = 600;
/** Rows of a job may wait for long: another check compares their held credits. */
const HELD_FOR_LONG = `
  SELECT 'account ' || r.account_id AS subject, 'reservation ' || r.ref AS what,
    format('%s credits held', r.held_free + r.held_purchased) AS found
  FROM reservations AS r
  WHERE r.resolved_at IS NULL AND (r.job_id IS NULL OR $2) AND r.created_at < now() - $1 * interval '1 second'
  ORDER BY r.ref LIMIT 50`;

export const heldCreditsCheck: BookCheck = {
  invariant: 'I1',
  promise: 'no credit is held for ever',
  check: (evidence) =>
    ask(evidence, {
      ...{ service: 'credits-ledger', sql: HELD_FOR_LONG, expected: 'settled or released' },
      values: [evidence.atRest ? 0 : MAX_HOLD_SECONDS, evidence.atRest],
    }),
};
