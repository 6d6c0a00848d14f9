import { type Broken, oneDelivered, oneSettled } from './broken.ts';

/** Charges that are too many, too few or for nothing, and work that holds credits for ever. */
export const brokenCharges: readonly Broken[] = [
  [
    'a delivery that was settled twice',
    'I2',
    {
      'credits-ledger': `
        INSERT INTO entries SELECT o.account_id, o.version + 1, 'settle', ${oneSettled}, 0, 0, -1,
          o.free, o.purchased, 0, NULL, NULL, NULL, now(), NULL, NULL, 0, '{1}'
        FROM accounts AS o WHERE o.account_id <> (SELECT account_id FROM reservations WHERE ref = ${oneSettled})`,
    },
    'charges of ',
  ],
  [
    'a charge without a delivery',
    'I2',
    { 'transcript-fetcher': `UPDATE operations SET charge = 0 WHERE id = ${oneDelivered}` },
    'item of the delivered row',
  ],
  [
    'a delivery that was released',
    'I2',
    { 'credits-ledger': `UPDATE reservations SET charged = '', released = B'1' WHERE ref = ${oneSettled}` },
    'item of the delivered row',
  ],
  [
    'a charge after a 5xx that was not released',
    'I2',
    {
      'transcript-fetcher': `UPDATE operations SET charge = 0, waived_at = now() WHERE id = ${oneDelivered}`,
    },
    'item of the delivered row',
  ],
  [
    'a refund of what is charged all the same',
    'I2',
    {
      'credits-ledger': `
        UPDATE reservations SET refunded = charged WHERE ref = ${oneSettled}`,
    },
    'item of the delivered row',
  ],
  [
    'a charge for a failure',
    'I2',
    {
      'credits-ledger': `UPDATE reservations SET charged = released, released = '' WHERE bit_count(released) > 0 AND job_id IS NULL`,
    },
    'item of the failed row',
  ],
  [
    'a charge that belongs to nothing',
    'I2',
    { 'transcript-fetcher': `DELETE FROM operations WHERE id = ${oneDelivered}` },
    'row of a charged item',
  ],
  [
    'a page of a search that was released',
    'I2',
    { search: `UPDATE searches SET state = 'failed', settlement = 'released' WHERE state = 'delivered'` },
    'credits of the failed search',
  ],
  ['a charge for an unknown search', 'I2', { search: 'DELETE FROM searches' }, 'its search'],
  [
    'a search that never ends',
    'I2',
    { search: `UPDATE searches SET state = 'fetched' WHERE state = 'delivered'` },
    'a search at rest',
  ],
  [
    'an item that two rows have',
    'I2',
    {
      'transcript-fetcher': `
        INSERT INTO operations (id, priority, position, account_id, video_id, language, fallback, format, state, price, charge, ref, item, transcript_id, ended_at)
        SELECT gen_random_uuid(), 'reads', 0, account_id, video_id, language, fallback, format, state, price, charge, ref, item, transcript_id, ended_at
        FROM operations WHERE id = ${oneDelivered}`,
    },
    'rows of item 1',
  ],
  [
    'a delivery at another price',
    'I2',
    { 'credits-ledger': `UPDATE reservations SET unit = 2 WHERE ref = ${oneSettled}` },
    'price of its item',
  ],
  [
    'a delivery that another account pays for',
    'I2',
    {
      'credits-ledger': `
        UPDATE reservations AS r SET account_id = (SELECT account_id FROM accounts WHERE account_id <> r.account_id LIMIT 1)
        WHERE ref = ${oneSettled}`,
    },
    'account that pays',
  ],
  [
    'an item that is held for a row that has ended',
    'I2',
    {
      'credits-ledger': `
        UPDATE reservations SET charged = '', held_free = 1, resolved_at = NULL WHERE ref = ${oneSettled}`,
    },
    'item of the delivered row',
  ],
  [
    'a row of a job that was charged and is not said to be',
    'I2',
    {
      'bulk-orchestrator': `UPDATE job_rows SET status = 'cached', credits_charged = 0 WHERE status = 'fetched'`,
    },
    'items that the ledger has charged',
  ],
  [
    'a row of a job with the wrong price',
    'I2',
    { 'bulk-orchestrator': `UPDATE job_rows SET credits_charged = 1 WHERE status = 'cached'` },
    'credits of a row of a job',
  ],
  [
    'a row that only the record of its job has',
    'I2',
    { 'bulk-orchestrator': `UPDATE job_rows SET operation_id = gen_random_uuid()` },
    'open rows of the fetcher',
  ],
  [
    'a job whose batch was waived',
    'I2',
    { 'transcript-fetcher': `UPDATE operations SET waived_at = now() WHERE priority = 'jobs'` },
    'a job that its batch was waived by',
  ],
  [
    'a charge for an unknown job',
    'I2',
    {
      'bulk-orchestrator': 'DELETE FROM jobs',
      'transcript-fetcher': `DELETE FROM operations WHERE priority = 'jobs'`,
    },
    'row of a charged item',
  ],
  [
    'a job that is being created for ever',
    'I2',
    { 'bulk-orchestrator': `UPDATE jobs SET status = 'creating'` },
    'the answer of a job',
  ],
  [
    'a key without an answer',
    'I2',
    {
      'bulk-orchestrator': `
        ALTER TABLE jobs DROP CONSTRAINT jobs_keys_answered; UPDATE jobs SET idempotency_key = id::text, answer = NULL`,
    },
    'the answer of a job',
  ],
  [
    'a job that never ends',
    'I2',
    { 'bulk-orchestrator': `UPDATE jobs SET status = 'running'` },
    'a job that goes on',
  ],
  [
    'a job that waits for nothing',
    'I2',
    { 'bulk-orchestrator': `UPDATE jobs SET status = 'paused', due_at = NULL` },
    'a job that goes on',
  ],
  [
    'a job that has ended with rows to do',
    'I2',
    { 'bulk-orchestrator': `UPDATE job_rows SET status = 'pending'` },
    'a job that goes on',
  ],
  [
    'a row that never ends',
    'I2',
    {
      'transcript-fetcher': `
        UPDATE operations SET state = 'fetching', charge = 0, transcript_id = NULL, ended_at = NULL WHERE id = ${oneDelivered}`,
    },
    'a row at rest',
  ],
];
