import { type Broken, oneSettled } from './broken.ts';

const noTriggers = 'ALTER TABLE entries DISABLE TRIGGER entries_are_append_only;';

/** Balances, files and counts that are not what they should be. */
export const brokenRecords: readonly Broken[] = [
  [
    'a purchase that stands although its money was refunded',
    'I10',
    {
      billing: `INSERT INTO refunds SELECT 're_1', payment_intent_id, amount, currency, 'succeeded' FROM purchases`,
    },
    'credits that stand of it',
  ],
  [
    'an untouched block of a closed account whose money stays here',
    'I10',
    { 'credits-ledger': `UPDATE accounts SET status = 'closed'` },
    'refund after its account was closed',
  ],
  [
    'an account whose last owner is gone',
    'I6',
    { identity: 'UPDATE people SET removed_at = now()' },
    'owner of the account',
  ],
  ['a block without a purchase', 'I10', { billing: 'DELETE FROM purchases' }, 'its purchase'],
  [
    'credits of an outage on a day that cost nothing',
    'I11',
    {
      'credits-ledger': `${noTriggers}
        UPDATE entries SET reason = 'outage', ref = 'outage:' || account_id || ':2026-01-01' WHERE kind = 'grant'`,
    },
    'credits given for a day of outage',
  ],
  [
    'credits of an outage on a day that was none',
    'I11',
    {
      'credits-ledger': `${noTriggers}
        UPDATE entries SET reason = 'outage', ref = 'outage:' || account_id || ':2026-01-01' WHERE kind = 'grant'`,
    },
    'the day that credits were given for',
  ],
  [
    'a day of outage that was evaluated and never granted',
    'I11',
    {
      status: `INSERT INTO evaluated_days (day, observed_slots, outage_slots, is_outage, evaluated_at)
        VALUES ((now() AT TIME ZONE 'UTC')::date, 144, 24, true, now() - interval '1 hour')`,
      'credits-ledger': 'UPDATE key_days SET credits_charged = 30',
    },
    'credits for a day that was found to be an outage',
  ],
  [
    'a day that was evaluated otherwise than its slots say',
    'I11',
    {
      status: `INSERT INTO evaluated_days (day, observed_slots, outage_slots, is_outage, evaluated_at)
        VALUES ((now() AT TIME ZONE 'UTC')::date - 1, 144, 3, false, now() - interval '1 hour')`,
    },
    'how a day was evaluated',
  ],
  [
    'a block that stands for less than was booked',
    'I1',
    { 'credits-ledger': 'UPDATE blocks SET net = net - 1' },
    'what stands of the block',
  ],
  [
    'a balance without a booking',
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
      'credits-ledger': `UPDATE reservations SET held_free = 1, resolved_at = NULL WHERE ref = ${oneSettled}`,
    },
    'reservation ',
  ],
  [
    'the rest of a job that is held for ever',
    'I1',
    {
      'credits-ledger': `
        UPDATE reservations SET held_free = 1, resolved_at = NULL, created_at = now() - interval '1 day' WHERE ref = ${oneSettled}`,
    },
    'reservation ',
  ],
  [
    'a month that was never opened',
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
    'a delivery that no library has',
    'I3',
    { 'transcript-fetcher': 'DELETE FROM library_entries' },
    'the library entry of',
  ],
  [
    'a delivery that no search finds',
    'I3',
    {
      'transcript-fetcher':
        'UPDATE library_entries SET words = NULL; INSERT INTO searched_libraries SELECT DISTINCT account_id, NULL::timestamptz FROM library_entries ON CONFLICT (account_id) DO UPDATE SET first_searched_at = NULL',
    },
    'the words of transcript',
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
    'a ZIP that no route may deliver any more',
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
    'a cold fetch that everybody has counted and its key has not',
    'limits',
    { 'transcript-fetcher': `UPDATE cold_counts SET count = count + 1 WHERE scope = 'pool:global'` },
    'counted cold fetches',
  ],
];
