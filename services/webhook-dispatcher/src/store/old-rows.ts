import type { Purge } from '@tds/service-kit';
import type { Database } from './database.ts';

const KEPT_DAYS = 30;
/** Longer than deliveries are kept. */
const ENDPOINTS_KEPT_DAYS = 40;

/**
 * Deletes ended deliveries, unused endpoints, and secrets that no delivery and no webhook references. A new delivery locks its webhook, so
 * it cannot reference a secret that no webhook references.
 */
export const purgesOf = (db: Database) =>
  ({
    deliveries: (limit) => db.$executeRaw`
      DELETE FROM deliveries WHERE id IN (
        SELECT id FROM deliveries
        WHERE ended_at < now() - ${KEPT_DAYS}::int * interval '1 day' ORDER BY ended_at LIMIT ${limit}::int)`,
    endpoints: (limit) => db.$executeRaw`
      DELETE FROM endpoints WHERE due_at IS NULL AND id IN (
        SELECT id FROM endpoints
        WHERE due_at IS NULL AND used_at < now() - ${ENDPOINTS_KEPT_DAYS}::int * interval '1 day' LIMIT ${limit}::int)`,
    secrets: (limit) => db.$executeRaw`
      DELETE FROM secrets WHERE id IN (
        SELECT id FROM secrets AS s WHERE NOT EXISTS (SELECT FROM webhooks WHERE secret_id = s.id)
          AND NOT EXISTS (
            SELECT FROM deliveries AS d WHERE d.account_id = s.account_id AND d.state = 'sending' AND d.secret_id = s.id)
          AND NOT EXISTS (
            SELECT FROM endpoints AS e JOIN deliveries AS d ON d.endpoint_id = e.id AND d.state = 'waiting'
            WHERE e.account_id = s.account_id AND d.secret_id = s.id) LIMIT ${limit}::int)`,
  }) satisfies Readonly<Record<string, Purge>>;
