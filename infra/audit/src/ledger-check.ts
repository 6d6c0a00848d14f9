import { checkBooks } from '@tds/credits-ledger';
import type { BookCheck } from './check.ts';

export const ledgerCheck: BookCheck = {
  invariant: 'I1',
  promise: 'balances, reservations and entries add up, and no bucket is below zero',
  look: (evidence) =>
    evidence.connected('credits-ledger', async (connection) =>
      (await checkBooks(connection)).map(({ account, ...finding }) => ({
        ...finding,
        subject: `account ${account ?? 'none'}`,
      })),
    ),
};

const OPEN_RESERVATIONS = `
  SELECT ref, account_id FROM reservations
  WHERE state = 'open' AND created_at < now() - $1 * interval '1 second' ORDER BY ref LIMIT 50`;
/** Longer than any operation holds a credit: three minutes, and as long again for a late settlement. */
const LONGEST_HOLD_SECONDS = 600;

export const heldCreditsCheck: BookCheck = {
  invariant: 'I1',
  promise: 'no credit is held for ever',
  look: async ({ rows, atRest }) => {
    const open = await rows<{ ref: string; account_id: string }>('credits-ledger', OPEN_RESERVATIONS, [
      atRest ? 0 : LONGEST_HOLD_SECONDS,
    ]);
    return open.map(({ ref, account_id }) => ({
      subject: `account ${account_id}`,
      what: `reservation ${ref}`,
      expected: 'settled or released',
      found: 'open',
    }));
  },
};
