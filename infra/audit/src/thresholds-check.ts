import type { BookCheck } from './check.ts';

type Threshold = { readonly id: string; readonly threshold: number };

/** A change that is younger may still be on its way. */
const TRAVEL_SECONDS = 60;

const SET = `
  SELECT account_id AS id, low_balance_threshold AS threshold FROM webhooks
  WHERE low_balance_threshold IS NOT NULL AND updated_at < now() - $1 * interval '1 second' ORDER BY 1`;
const WATCHED =
  'SELECT account_id AS id, low_threshold AS threshold FROM accounts WHERE account_id = ANY ($1::uuid[])';

/** A webhook sets an account's threshold, and the ledger compares balances with it. */
export const thresholdsCheck: BookCheck = {
  invariant: 'I6',
  promise: 'the ledger watches each balance for the threshold of its webhook',
  look: async ({ rows, atRest }) => {
    const set = await rows<Threshold>('webhook-dispatcher', SET, [atRest ? 0 : TRAVEL_SECONDS]);
    const ids = set.map(({ id }) => id);
    const watched = await rows<Threshold>('credits-ledger', WATCHED, [ids]);
    const known = new Map(watched.map(({ id, threshold }) => [id, threshold]));
    return set
      .filter(({ id, threshold }) => known.get(id) !== threshold)
      .map(({ id, threshold }) => ({
        subject: `account ${id}`,
        what: 'threshold of the account in credits-ledger',
        expected: String(threshold),
        found: String(known.get(id) ?? 'none'),
      }));
  },
};
