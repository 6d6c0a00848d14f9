import { type Broken, oneDelivered } from './broken.ts';

/** A row that had ended, and is open again. */
const reopened = (state: string, more: string): string => `
  UPDATE operations SET state = ${state}, charge = 0, transcript_id = NULL, ended_at = NULL, ${more} WHERE id = ${oneDelivered}`;

/** What happens while a webhook is changed is promised to nobody. */
const longAgo = `UPDATE webhooks SET updated_at = updated_at - interval '1 minute'`;

/** Work and events that never end. */
export const brokenWork: readonly Broken[] = [
  [
    'more slots than there are',
    'limits',
    {
      'transcript-fetcher': `INSERT INTO workers (id, alive_until, slots)
        VALUES (gen_random_uuid(), now() + interval '1 minute', '{"reads": 20, "jobs": 25}')`,
    },
    'slots that living workers hold',
  ],
  [
    'a task that was given up',
    'I4',
    {
      identity: `
        INSERT INTO messaging.dead_letters (kind, source, message_id, payload, headers, reason, attempts)
        SELECT 'task', name, id, payload, headers, 'an error', attempts FROM messaging.tasks LIMIT 1`,
    },
    'dead letter of ',
  ],
  [
    'a task that is open twice',
    'I4',
    {
      identity: `
        INSERT INTO messaging.tasks (name, payload)
        SELECT 'send-code-mail', '{}' FROM generate_series(1, 2)`,
    },
    'open tasks send-code-mail of identity',
  ],
  [
    'work that is left undone',
    'I4',
    { identity: `UPDATE messaging.tasks SET state = 'ready', due_at = now() - interval '1 minute'` },
    'task send-code-mail of identity',
  ],
  [
    'a read whose opening never ends',
    'I4',
    { 'transcript-fetcher': reopened(`'opened'`, `created_at = now() - interval '2 minutes'`) },
    'a read that is being opened',
  ],
  [
    'a row that is in no batch',
    'I4',
    { 'transcript-fetcher': reopened(`'ready'`, 'batch_id = NULL') },
    'the batch of a row',
  ],
  [
    'a row whose batch has no turn',
    'I4',
    {
      'transcript-fetcher': `${reopened(`'ready'`, 'batch_id = account_id')};
        INSERT INTO batches (id, priority, account_id, is_queued) SELECT account_id, 'reads', account_id, true FROM operations WHERE state = 'ready';
        UPDATE turns SET is_queued = false`,
    },
    'the batch of a row',
  ],
  [
    'a row whose fetch has ended',
    'I4',
    { 'transcript-fetcher': reopened(`'fetching'`, 'price = price') },
    'the fetch of a row',
  ],
  [
    'a fetch that no process has in hand',
    'I4',
    {
      'transcript-fetcher': `
        UPDATE fetches SET state = 'open', begun_at = now() - interval '1 minute', worker_id = gen_random_uuid()`,
    },
    'the worker of a fetch',
  ],
  [
    'a fetch that never ends',
    'I4',
    { 'transcript-fetcher': `UPDATE fetches SET state = 'open', begun_at = now() - interval '5 minutes'` },
    'the end of a fetch',
  ],
  [
    'a charge that never reaches the ledger',
    'I4',
    {
      'transcript-fetcher': `
        INSERT INTO settlements (id, reservations, tries, due_at) VALUES (gen_random_uuid(), '[]', 7, now() + interval '1 minute')`,
    },
    'what the ledger has to learn',
  ],
  [
    'an event that was never published',
    'I4',
    { identity: 'UPDATE messaging.outbox SET published_at = NULL' },
    'in the outbox of identity',
  ],
  [
    'an event that was never heard',
    'I6',
    { 'credits-ledger': 'DELETE FROM messaging.inbox' },
    'credits-ledger receives what identity published',
  ],
  [
    'an account that is frozen for identity only',
    'I6',
    {
      identity: `UPDATE accounts SET status = 'frozen', frozen_reason = 'operator', status_version = 7, status_changed_at = now() - interval '1 hour'`,
    },
    'status of the account in credits-ledger',
  ],
  [
    'a key whose end was published, and that works again',
    'I6',
    { identity: 'UPDATE api_keys SET revoke_at = NULL, ended_at_once = false' },
    'status of the key',
  ],
  [
    'a key that is revoked without a word',
    'I6',
    { identity: `UPDATE api_keys SET revoke_at = now() - interval '2 minutes'` },
    'status of the key',
  ],
  [
    'an event without a publisher',
    'I6',
    {
      'credits-ledger': `
        INSERT INTO messaging.inbox (consumer, message_id)
        VALUES ('evt.identity.account-created.v1', gen_random_uuid())`,
    },
    'identity published what credits-ledger has applied',
  ],
  [
    'an event of a job that has no delivery',
    'I7',
    { 'webhook-dispatcher': `DELETE FROM deliveries WHERE job_id IS NOT NULL; ${longAgo}` },
    'delivery of an event of a job',
  ],
  [
    'a balance that ran low and has no delivery',
    'I7',
    { 'webhook-dispatcher': `DELETE FROM deliveries WHERE kind = 'credits.low'; ${longAgo}` },
    'delivery of a balance that ran low',
  ],
  [
    'a threshold that the ledger does not watch',
    'I6',
    { 'webhook-dispatcher': 'UPDATE webhooks SET low_balance_threshold = 499' },
    'threshold of the account in credits-ledger',
  ],
  [
    'a webhook that was sent a sixth time',
    'I7',
    {
      'webhook-dispatcher': `
        ALTER TABLE deliveries DROP CONSTRAINT deliveries_attempts_check; UPDATE deliveries SET attempts = 6`,
    },
    'attempts of a delivery',
  ],
  [
    'a webhook that is never due',
    'I7',
    {
      'webhook-dispatcher': `
        UPDATE deliveries SET state = 'waiting', ended_at = NULL, due_at = now() + interval '1 hour',
          secret_id = (SELECT id FROM secrets LIMIT 1)`,
    },
    'the turn of a delivery that waits',
  ],
  [
    'a webhook that is due for an hour',
    'I7',
    {
      'webhook-dispatcher': `
        UPDATE deliveries SET state = 'waiting', ended_at = NULL, due_at = now() - interval '1 hour',
          secret_id = (SELECT id FROM secrets LIMIT 1)`,
    },
    'a delivery that is due',
  ],
];
