import { ask, type BookCheck, TRAVEL_SECONDS } from './evidence.ts';

type Status = { id: string; status: string; version: number };

const PUBLISHED_STATUSES = `
  SELECT id, status, status_version AS version FROM accounts
  WHERE status_version > 0 AND status_changed_at < now() - $1 * interval '1 second' ORDER BY id`;
const KNOWN_STATUSES = `
  SELECT account_id AS id, status, status_version::int AS version FROM accounts WHERE account_id = ANY ($1::uuid[])`;

const describeStatus = (stored: Status | undefined): string =>
  stored ? `${stored.status}, version ${stored.version}` : 'nothing';

const isObeyed = ({ status, version }: Status, stored: Status | undefined): boolean =>
  stored !== undefined &&
  (stored.version > version || (stored.version === version && stored.status === status));

/** Identity decides who may spend, and the ledger obeys. */
export const accountStatusCheck: BookCheck = {
  invariant: 'I6',
  promise: 'an account that is frozen or closed is so for everyone',
  check: async ({ rows, atRest }) => {
    const grace = [atRest ? 0 : TRAVEL_SECONDS];
    const published = await rows<Status>('identity', PUBLISHED_STATUSES, grace);
    const ids = published.map(({ id }) => id);
    const ledgerRows = await rows<Status>('credits-ledger', KNOWN_STATUSES, [ids]);
    const stored = new Map(ledgerRows.map((row) => [row.id, row]));
    return published
      .filter((account) => !isObeyed(account, stored.get(account.id)))
      .map((account) => ({
        ...{ subject: `account ${account.id}`, what: 'status of the account in credits-ledger' },
        ...{ expected: describeStatus(account), found: describeStatus(stored.get(account.id)) },
      }));
  },
};

const PUBLISHED_KEYS = `
  SELECT (payload ->> 'keyId')::uuid AS key_id, min(created_at) AS published_at FROM messaging.outbox
  WHERE subject = 'evt.identity.key-revoked.v1' AND created_at > now() - interval '6 days' GROUP BY 1`;
const DIFFERENT_KEYS = `
  WITH published AS (${PUBLISHED_KEYS})
  SELECT k.id, 'revoked, and not published' AS found FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id
  WHERE k.revoke_at BETWEEN now() - interval '5 days' AND now() - $1 * interval '1 second' AND k.id NOT IN (SELECT key_id FROM published)
    -- Keys that end with their account are part of its event.
    AND (a.status <> 'closed' OR k.revoke_at <> a.status_changed_at)
  UNION ALL
  SELECT k.id, 'published as revoked, and in use' FROM api_keys AS k JOIN published ON published.key_id = k.id
  WHERE published.published_at < now() - $1 * interval '1 second' AND coalesce(k.revoke_at, 'infinity') > now()
  LIMIT 50`;

/** An event outlives a restored database: a key whose end was published must stay revoked. */
export const keyStatusCheck: BookCheck = {
  invariant: 'I6',
  promise: 'a key is revoked if that was published, and only then',
  check: (evidence) =>
    ask(evidence, {
      ...{ service: 'identity', sql: DIFFERENT_KEYS, values: [evidence.atRest ? 0 : TRAVEL_SECONDS] },
      ...{ subject: 'key', what: 'status of the key', expected: 'the published one' },
    }),
};

type Threshold = { readonly id: string; readonly threshold: number };

const SET = `
  SELECT account_id AS id, low_balance_threshold AS threshold FROM webhooks
  WHERE low_balance_threshold IS NOT NULL AND updated_at < now() - $1 * interval '1 second' ORDER BY 1`;
const WATCHED =
  'SELECT account_id AS id, low_threshold AS threshold FROM accounts WHERE account_id = ANY ($1::uuid[])';

/** A webhook sets an account's threshold, and the ledger compares balances with it. */
export const thresholdsCheck: BookCheck = {
  invariant: 'I6',
  promise: 'the ledger watches each balance for the threshold of its webhook',
  check: async ({ rows, atRest }) => {
    const thresholds = await rows<Threshold>('webhook-dispatcher', SET, [atRest ? 0 : TRAVEL_SECONDS]);
    const ledgerRows = await rows<Threshold>('credits-ledger', WATCHED, [thresholds.map(({ id }) => id)]);
    const stored = new Map(ledgerRows.map(({ id, threshold }) => [id, threshold]));
    return thresholds
      .filter(({ id, threshold }) => stored.get(id) !== threshold)
      .map(({ id, threshold }) => ({
        ...{ subject: `account ${id}`, what: 'threshold of the account in credits-ledger' },
        ...{ expected: String(threshold), found: String(stored.get(id) ?? 'none') },
      }));
  },
};
