import { askAll, type BookCheck } from './evidence.ts';

/** Of the last day, without what went with its account or its job. */
const UNRECEIVED = `
  SELECT 'operation ' || o.id AS subject, 'the library entry of ' || o.video_id AS what
  FROM operations AS o
  WHERE o.state = 'delivered' AND o.created_at > now() - interval '1 day'
    AND NOT EXISTS (SELECT FROM library_entries AS e WHERE e.account_id = o.account_id AND e.transcript_id = o.transcript_id)
    AND NOT EXISTS (SELECT FROM library_removals AS r WHERE r.id IN (o.account_id, o.batch_id))
  LIMIT 100`;

/** A transcript whose cues are lost is tried again a day later. What was delivered during a first search is queued soon after it. */
const UNINDEXED = `
  SELECT 'account ' || e.account_id AS subject, 'the words of transcript ' || e.transcript_id AS what,
    coalesce('due since ' || greatest(u.due_at, u.lease_until), 'not waiting') AS found
  FROM library_entries AS e JOIN searched_libraries AS s USING (account_id) LEFT JOIN unindexed_transcripts AS u ON u.id = e.transcript_id
  WHERE e.words IS NULL AND coalesce(greatest(u.due_at, u.lease_until) < now() - interval '5 minutes', first_searched_at IS NULL) LIMIT 100`;

const service = 'transcript-fetcher';

export const libraryCheck: BookCheck = {
  invariant: 'I3',
  promise: 'every delivery is in the library of its account, and can be found there',
  check: (evidence) =>
    askAll(evidence, [
      { service, sql: UNRECEIVED, expected: 'one', found: 'none' },
      { service, sql: UNINDEXED, expected: 'indexed' },
    ]),
};
