import { type Purge, purgeOlder } from '@tds/base';
import type { Database } from './database.ts';

const RETENTION = '30 days';
/** Longer than deliveries are kept. */
const ENDPOINT_RETENTION = '40 days';

/**
 * Deletes ended deliveries, unused endpoints, and secrets that no delivery and no webhook references. A new delivery locks its webhook, so
 * it cannot reference a secret that no webhook references.
 */
export const createPurges = (db: Database) =>
  ({
    deliveries: purgeOlder(db, { table: 'deliveries', age: 'ended_at' }, RETENTION),
    endpoints: purgeOlder(
      db,
      { table: 'endpoints', age: 'used_at', where: 'due_at IS NULL' },
      ENDPOINT_RETENTION,
    ),
    secrets: (limit) => db.$executeRaw`
      DELETE FROM secrets WHERE id IN (
        SELECT id FROM secrets AS s WHERE NOT EXISTS (SELECT FROM webhooks WHERE secret_id = s.id)
          AND NOT EXISTS (
            SELECT FROM deliveries AS d WHERE d.account_id = s.account_id AND d.state = 'sending' AND d.secret_id = s.id)
          AND NOT EXISTS (
            SELECT FROM endpoints AS e JOIN deliveries AS d ON d.endpoint_id = e.id AND d.state = 'waiting'
            WHERE e.account_id = s.account_id AND d.secret_id = s.id) LIMIT ${limit}::int)`,
  }) satisfies Readonly<Record<string, Purge>>;
