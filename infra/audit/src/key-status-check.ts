import type { BookCheck } from './check.ts';

type Key = { readonly id: string; readonly found: string };

/** Longer than it takes to tell the end of a key's hours of grace, or to hear again what was told before a restore. */
const WITHIN_SECONDS = 60;
const TOLD = `
  SELECT (payload ->> 'keyId')::uuid AS key_id, min(created_at) AS told_at FROM messaging.outbox
  WHERE subject = 'evt.identity.key-revoked.v1' AND created_at > now() - interval '6 days' GROUP BY 1`;
const DIFFERENT = `
  WITH told AS (${TOLD})
  SELECT k.id, 'revoked, and not told' AS found FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id
  WHERE k.revoke_at BETWEEN now() - interval '5 days' AND now() - $1 * interval '1 second' AND k.id NOT IN (SELECT key_id FROM told)
    -- Those that end with their account are told with it.
    AND (a.status <> 'closed' OR k.revoke_at <> a.status_changed_at)
  UNION ALL
  SELECT k.id, 'told to be revoked, and in use' FROM api_keys AS k JOIN told ON told.key_id = k.id
  WHERE told.told_at < now() - $1 * interval '1 second' AND coalesce(k.revoke_at, 'infinity') > now()
  LIMIT 50`;

/** What was told of a key outlives its database: whoever has heard of its end must not be contradicted. */
export const keyStatusCheck: BookCheck = {
  invariant: 'I6',
  promise: 'a key is revoked where that was told, and only there',
  look: async ({ rows, atRest }) =>
    (await rows<Key>('identity', DIFFERENT, [atRest ? 0 : WITHIN_SECONDS])).map(({ id, found }) => ({
      subject: `key ${id}`,
      what: 'status of the key',
      expected: 'the one that was told',
      found,
    })),
};
