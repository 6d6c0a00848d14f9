import { type Purge, purgeOlder } from '@tds/base';
import type { Database } from './database.ts';

const RETENTION = '30 days';
/** Longer than deliveries are kept. */
const ENDPOINT_RETENTION = '40 days';
/** Longer than a change of it stays in the stream. */
const RECEIVER_RETENTION = '40 days';

/**
 * Deletes ended deliveries, unused endpoints, ended receivers, and secrets that nothing references. A new delivery locks the queue that also a
 * change of its webhook or receiver locks, so it cannot reference a secret that neither references.
 */
export const createPurges = (db: Database) =>
  ({
    deliveries: purgeOlder(db, { table: 'deliveries', age: 'ended_at' }, RETENTION),
    endpoints: purgeOlder(
      db,
      { table: 'endpoints', age: 'used_at', where: 'due_at IS NULL' },
      ENDPOINT_RETENTION,
    ),
    receivers: purgeOlder(db, { table: 'receivers', age: 'deleted_at' }, RECEIVER_RETENTION),
    secrets: (limit) => db.$executeRaw`
      DELETE FROM secrets WHERE id IN (
        SELECT id FROM secrets AS s WHERE NOT EXISTS (SELECT FROM webhooks WHERE secret_id = s.id)
          AND NOT EXISTS (SELECT FROM receivers WHERE secret_id = s.id)
          AND NOT EXISTS (
            SELECT FROM deliveries AS d WHERE d.account_id = s.account_id AND d.state = 'sending' AND d.secret_id = s.id)
          AND NOT EXISTS (
            SELECT FROM endpoints AS e JOIN deliveries AS d ON d.endpoint_id = e.id AND d.state = 'waiting'
            WHERE e.account_id = s.account_id AND d.secret_id = s.id) LIMIT ${limit}::int)`,
  }) satisfies Readonly<Record<string, Purge>>;
