import { type Broken, oneDelivered, oneSettled } from './broken.ts';

const noTriggers = 'ALTER TABLE entries DISABLE TRIGGER entries_are_append_only;';

/** Balances, files, counts, tasks and events that are not what they should be. */
export const brokenRecords: readonly Broken[] = [
  [
    'a balance that nobody booked',
    'I1',
    { 'credits-ledger': 'UPDATE accounts SET purchased = purchased + 1' },
    'purchased credits of the account',
  ],
  [
    'an entry that is gone',
    'I1',
    { 'credits-ledger': `${noTriggers} DELETE FROM entries WHERE kind = 'settle' AND ref = ${oneSettled}` },
    'version after ',
  ],
  [
    'a credit that is held for ever',
    'I1',
    {
      'credits-ledger': `UPDATE reservations SET state = 'open', resolved_at = NULL WHERE ref = ${oneSettled}`,
    },
    'reservation ',
  ],
  [
    'the rest of a job that is held for ever',
    'I1',
    {
      'credits-ledger': `
        INSERT INTO reservation_parts (ref, unit, charged) VALUES (${oneSettled}, 1, B'0');
        UPDATE reservations SET state = 'in_parts', resolved_at = NULL WHERE ref = ${oneSettled}`,
    },
    'reservation ',
  ],
  [
    'a month that nobody has opened',
    'I1',
    {
      'credits-ledger': `
        DO $$ BEGIN EXECUTE format('ALTER TABLE reservations DETACH PARTITION months.%I',
          'reservations' || to_char(now() AT TIME ZONE 'UTC' + interval '1 month', '_YYYY_MM')); END $$`,
    },
    'the books of the next month',
  ],
  [
    'a delivery whose file is gone',
    'I3',
    { objects: 'DELETE FROM object_chunks; DELETE FROM objects' },
    'cues of',
  ],
  [
    'an archive whose ZIP is gone',
    'I3',
    { objects: `DELETE FROM objects WHERE key LIKE 'archives/%'` },
    'its ZIP archives/',
  ],
  [
    'an archive whose ZIP is another one',
    'I3',
    { archiver: `UPDATE archives SET parts = jsonb_set(parts, '{0,sha256}', '"other"')` },
    'its ZIP archives/',
  ],
  [
    'a ZIP that no archive has',
    'I3',
    { archiver: 'DELETE FROM archive_objects; DELETE FROM archives' },
    'the archive of a stored ZIP',
  ],
  [
    'a ZIP that is kept beyond its time',
    'I3',
    { archiver: `UPDATE archives SET expires_at = now() - interval '1 hour'` },
    'a ZIP that nobody may read any more',
  ],
  [
    'a file whose bytes have changed',
    'I3',
    {
      objects: `
        UPDATE object_chunks SET data = set_byte(data, 8, (get_byte(data, 8) + 1) % 256) WHERE key LIKE 'rendered/%'`,
    },
    'bytes of a stored object',
  ],
  [
    'cues whose bytes have changed',
    'I3',
    {
      objects: `
        UPDATE object_chunks SET data = set_byte(data, 8, (get_byte(data, 8) + 1) % 256) WHERE key LIKE 'cues/%'`,
    },
    'bytes of a stored object',
  ],
  [
    'a cold fetch that was not counted',
    'limits',
    { 'transcript-fetcher': `UPDATE cold_counts SET count = 0 WHERE scope LIKE 'key:%'` },
    'counted cold fetches',
  ],
  [
    'a cold fetch that was counted twice',
    'limits',
    { 'transcript-fetcher': `UPDATE cold_counts SET count = count + 1 WHERE scope LIKE 'key:%'` },
    'counted cold fetches',
  ],
  [
    'a task that was given up',
    'I4',
    {
      'transcript-fetcher': `
        INSERT INTO messaging.dead_letters (kind, source, message_id, payload, headers, reason, attempts)
        SELECT 'task', name, id, payload, headers, 'an error', attempts FROM messaging.tasks LIMIT 1`,
    },
    'dead letter of ',
  ],
  [
    'a task that is open twice',
    'I4',
    {
      'transcript-fetcher': `
        INSERT INTO messaging.tasks (name, payload)
        SELECT 'settle-operation', '{}' FROM generate_series(1, 2)`,
    },
    'open tasks settle-operation of transcript-fetcher',
  ],
  [
    'a settlement that was left to people',
    'I4',
    {
      'transcript-fetcher': `UPDATE operations SET settlement = 'pending', parked_at = now() WHERE id = ${oneDelivered}`,
    },
    'its credit',
  ],
  [
    'work that is left undone',
    'I4',
    {
      'transcript-fetcher': `UPDATE messaging.tasks SET state = 'ready', due_at = now() - interval '1 minute'`,
    },
    'task settle-operation of transcript-fetcher',
  ],
  [
    'an event that was never told',
    'I4',
    { identity: 'UPDATE messaging.outbox SET published_at = NULL' },
    'in the outbox of identity',
  ],
  [
    'an event that was never heard',
    'I6',
    { 'credits-ledger': 'DELETE FROM messaging.inbox' },
    'credits-ledger hears what identity told',
  ],
  [
    'an account that is frozen for identity only',
    'I6',
    {
      identity: `UPDATE accounts SET status = 'frozen', status_version = 7, status_changed_at = now() - interval '1 hour'`,
    },
    'status of the account in credits-ledger',
  ],
  [
    'an event that nobody told',
    'I6',
    {
      'credits-ledger': `
        INSERT INTO messaging.inbox (consumer, message_id)
        VALUES ('evt.identity.account-created.v1', gen_random_uuid())`,
    },
    'identity told what credits-ledger has applied',
  ],
];
