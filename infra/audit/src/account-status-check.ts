import type { BookCheck } from './check.ts';

type Status = { id: string; status: string; version: number };

/** A change that is younger may still be on its way. */
const TRAVEL_SECONDS = 60;

const PUBLISHED = `
  SELECT id, status, status_version AS version FROM accounts
  WHERE status_version > 0 AND status_changed_at < now() - $1 * interval '1 second' ORDER BY id`;
const KNOWN = `
  SELECT account_id AS id, status, status_version::int AS version FROM accounts WHERE account_id = ANY ($1::uuid[])`;

const say = (known: Status | undefined): string =>
  known ? `${known.status}, version ${known.version}` : 'nothing';

/** Who may spend is decided by identity and obeyed by the ledger. */
export const accountStatusCheck: BookCheck = {
  invariant: 'I6',
  promise: 'an account that is frozen or closed is so for everyone',
  look: async ({ rows, atRest }) => {
    const published = await rows<Status>('identity', PUBLISHED, [atRest ? 0 : TRAVEL_SECONDS]);
    const ids = published.map(({ id }) => id);
    const known = new Map((await rows<Status>('credits-ledger', KNOWN, [ids])).map((row) => [row.id, row]));
    return published
      .filter(({ id, status, version }) => {
        const here = known.get(id);
        return (
          here === undefined || here.version < version || (here.version === version && here.status !== status)
        );
      })
      .map((account) => ({
        subject: `account ${account.id}`,
        what: 'status of the account in credits-ledger',
        expected: say(account),
        found: say(known.get(account.id)),
      }));
  },
};
