import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkRunningBooks, lookAtBooks, openEvidence } from '@tds/audit';
import {
  asIfCorrupted,
  bearer,
  type Corruption,
  postJson,
  signUp,
  startTestSystem,
  type TestSystem,
} from '@tds/e2e-support/testing';
import { loadVideoId } from '@tds/platform-simulator';
import { eventually } from '@tds/test-kit';

let system: TestSystem;
const addressOf = (service: string): string => String(system.databases[service]?.adminUrl);
const look = () => lookAtBooks(openEvidence(addressOf, { atRest: true }));

beforeAll(async () => {
  system = await startTestSystem();
  const [payer] = [await signUp(system), await signUp(system)];
  await payer.get(`/v1/transcript?video_id=${loadVideoId(901)}`);
  await payer.get(`/v1/transcript?video_id=${loadVideoId(902)}`);
  await payer.get('/v1/transcript?video_id=botCheck_01');
  await payer.get('/v1/search?q=audited');
  const video_ids = [loadVideoId(901), loadVideoId(903), loadVideoId(904)];
  await postJson(`${system.gateway}/v1/jobs`, { video_ids }, bearer(payer.key));
  await eventually(async () => expect(await look()).toEqual([]), { everyMs: 200 });
});
afterAll(() => system?.stop());

const oneSettled = `(SELECT min(r.ref) FROM reservations AS r JOIN entries AS e ON e.ref = r.ref AND e.kind = 'reserve'
  WHERE r.state = 'settled' AND e.reason = 'transcript')`;
const oneDelivered = `(SELECT id FROM operations WHERE state = 'delivered' ORDER BY id LIMIT 1)`;
const noTriggers = 'ALTER TABLE entries DISABLE TRIGGER entries_are_append_only;';

const controls: readonly [title: string, invariant: string, corruption: Corruption, what: string][] = [
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
    'a delivery that was settled twice',
    'I2',
    {
      'credits-ledger': `
        INSERT INTO entries SELECT o.account_id, o.version + 1, 'settle', ${oneSettled}, 0, 0, -1,
          o.free, o.purchased, 0, NULL, NULL, NULL, now()
        FROM accounts AS o WHERE o.account_id <> (SELECT account_id FROM reservations WHERE ref = ${oneSettled})`,
    },
    'settlements in the ledger',
  ],
  [
    'a charge without a delivery',
    'I2',
    { 'transcript-fetcher': `UPDATE operations SET charge = 0 WHERE id = ${oneDelivered}` },
    'settlements in the ledger',
  ],
  [
    'a delivery that was given back',
    'I2',
    { 'credits-ledger': `UPDATE reservations SET state = 'released' WHERE ref = ${oneSettled}` },
    'reservation of the delivered operation',
  ],
  [
    'a charge after a 5xx that was not given back',
    'I2',
    {
      'transcript-fetcher': `UPDATE operations SET charge = 0, disowned_at = now() WHERE id = ${oneDelivered}`,
    },
    'settlements in the ledger',
  ],
  [
    'a refund of what is charged all the same',
    'I2',
    {
      'credits-ledger': `
        INSERT INTO entries SELECT o.account_id, o.version + 1, 'grant', 'refund:' || ${oneSettled}, 0, 1, 0,
          o.free, o.purchased + 1, o.reserved, 'refund', NULL, NULL, now()
        FROM accounts AS o WHERE o.account_id = (SELECT account_id FROM reservations WHERE ref = ${oneSettled})`,
    },
    'settlements in the ledger',
  ],
  [
    'a charge for a failure',
    'I2',
    { 'credits-ledger': `UPDATE reservations SET state = 'settled' WHERE state = 'released'` },
    'reservation of the failed operation',
  ],
  [
    'a charge that belongs to nothing',
    'I2',
    { 'transcript-fetcher': `DELETE FROM operations WHERE id = ${oneDelivered}` },
    'its operation',
  ],
  [
    'a page of a search that was given back',
    'I2',
    { search: `UPDATE searches SET state = 'failed', settlement = 'released' WHERE state = 'delivered'` },
    'credits of the failed search',
  ],
  ['a charge for a search that nobody knows', 'I2', { search: 'DELETE FROM searches' }, 'its search'],
  [
    'a search that never ends',
    'I2',
    { search: `UPDATE searches SET state = 'fetched' WHERE state = 'delivered'` },
    'a search at rest',
  ],
  [
    'a row of a job that was charged and is not said to be',
    'I2',
    {
      'bulk-orchestrator': `UPDATE job_rows SET status = 'cached', credits_charged = 0 WHERE status = 'fetched'`,
    },
    'parts charged for its fetched rows',
  ],
  [
    'a row of a job with the wrong price',
    'I2',
    { 'bulk-orchestrator': `UPDATE job_rows SET credits_charged = 1 WHERE status = 'cached'` },
    'credits of a row of a job',
  ],
  [
    'credits that an ended job holds',
    'I2',
    {
      'credits-ledger': `UPDATE reservations SET state = 'in_parts', resolved_at = NULL WHERE reason = 'job'`,
    },
    'what an ended job holds',
  ],
  ['a charge for a job that nobody knows', 'I2', { 'bulk-orchestrator': 'DELETE FROM jobs' }, 'its job'],
  [
    'a job that never ends',
    'I2',
    { 'bulk-orchestrator': `UPDATE jobs SET status = 'running'` },
    'a job that has ended',
  ],
  [
    'an operation that never ends',
    'I2',
    {
      'transcript-fetcher': `UPDATE operations SET settlement = 'pending' WHERE id = ${oneDelivered}`,
    },
    'an operation at rest',
  ],
  [
    'a delivery whose file is gone',
    'I3',
    { objects: 'DELETE FROM object_chunks; DELETE FROM objects' },
    'cues of',
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

describe('the check of a whole system', () => {
  it('finds nothing where nothing is wrong, at rest and at work', async () => {
    expect(await asIfCorrupted(system, {}, lookAtBooks)).toEqual([]);
    expect(await checkRunningBooks(addressOf)).toEqual([]);
  });

  it.each(controls)('finds %s (%s)', async (_title, invariant, corruption, what) => {
    const findings = await asIfCorrupted(system, corruption, lookAtBooks);
    const relevant = findings.filter((finding) => finding.invariant === invariant);
    expect(relevant.map((finding) => finding.what).join('\n')).toContain(what);
  });
});
