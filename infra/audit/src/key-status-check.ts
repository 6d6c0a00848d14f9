import type { BookCheck } from './check.ts';

type Key = { readonly id: string; readonly found: string };

/** Longer than it takes to publish the end of a key's hours of grace, or to receive events from before a restore again. */
const WITHIN_SECONDS = 60;
const PUBLISHED = `
  SELECT (payload ->> 'keyId')::uuid AS key_id, min(created_at) AS published_at FROM messaging.outbox
  WHERE subject = 'evt.identity.key-revoked.v1' AND created_at > now() - interval '6 days' GROUP BY 1`;
const DIFFERENT = `
  WITH published AS (${PUBLISHED})
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
  look: async ({ rows, atRest }) =>
    (await rows<Key>('identity', DIFFERENT, [atRest ? 0 : WITHIN_SECONDS])).map(({ id, found }) => ({
      subject: `key ${id}`,
      what: 'status of the key',
      expected: 'the published one',
      found,
    })),
};
