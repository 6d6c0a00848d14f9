import { type AgingRows, type Purge, purgeEach, purgeOlder } from '@tds/base';
import { onSchedule } from '@tds/kit';
import type { Db } from './database.ts';

/** Longer than a result can be polled, and as long as credits are compared with the ledger. */
const RETENTION = '8 days';
/** Of counts by UTC day, from its begin. */
const DAY_RETENTION = '9 days';
/** For expired facts, which are not part of the paid cache. */
const FACT_RETENTION = '30 days';

/** Looks each batch up in the index of its priority, because together these lookups would read all operations. */
const EMPTY = `NOT EXISTS (SELECT FROM operations o WHERE o.batch_id = row.id AND o.priority = 'jobs' OFFSET 0)
  AND NOT EXISTS (SELECT FROM operations o WHERE o.batch_id = row.id AND o.priority = 'reads' OFFSET 0)`;

/** In this order: fetches and batches go after the operations that refer to them. */
export const createPurges = (db: Db) => {
  const purge = (rows: AgingRows, retention = RETENTION): Purge => purgeOlder(db, rows, retention);
  return {
    operations: purge({
      table: 'operations',
      age: 'created_at',
      where: `ended_at < now() - interval '${RETENTION}'`,
    }),
    fetches: purge({
      table: 'fetches',
      age: 'begun_at',
      where: "state <> 'open' AND NOT EXISTS (SELECT FROM operations o WHERE o.fetch_id = row.id)",
    }),
    batches: purge({ table: 'batches', age: 'created_at', where: `NOT is_queued AND ${EMPTY}` }),
    coldCounts: purge({ table: 'cold_counts', age: 'day' }, DAY_RETENTION),
    // Of accounts that do not wait. An account that returns is treated as new.
    turns: purge({ table: 'turns', age: 'turn', where: 'NOT is_queued' }),
    proxySpending: purge({ table: 'proxy_spending', age: 'day' }, DAY_RETENTION),
    selections: purge(
      { table: 'selections', age: 'expires_at', where: 'transcript_id IS NULL' },
      FACT_RETENTION,
    ),
    videos: purge(
      {
        table: 'videos',
        age: 'fact_expires_at',
        where: `NOT EXISTS (SELECT FROM transcripts t WHERE t.video_id = row.id)
          AND NOT EXISTS (SELECT FROM selections s WHERE s.video_id = row.id)`,
      },
      FACT_RETENTION,
    ),
  };
};

export const purgeOldOperations = onSchedule(async ({ db }: { readonly db: Db }, { signal, record }) => {
  record.add(await purgeEach(createPurges(db), { signal }));
});
