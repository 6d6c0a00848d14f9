import { type Broken, oneDelivered, oneSettled } from './broken.ts';

/** Charges that are too many, too few or for nothing, and work that holds credits for ever. */
export const brokenCharges: readonly Broken[] = [
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
];
