import type { UsageItem } from '@tds/contracts';
import type { UsageCounts } from '../domain/usage.ts';
import { type Database, type Db, readValue } from './database.ts';

/** Adds a batch once. Resolves to whether it was new. */
export const addUsage = (db: Db, id: string, items: readonly UsageItem[]): Promise<boolean> => {
  const rows = items.map(({ accountId, keyId, day, requests, cacheHits, failures }) => ({
    ...{ account_id: accountId, key_id: keyId, day, requests, cache_hits: cacheHits, failures },
  }));
  return readValue(db.$queryRaw`
    SELECT record_usage(${id}::uuid, ${JSON.stringify(rows)}::jsonb) AS value`);
};

type UsageQuery = {
  readonly accountId: string;
  /** Null for all keys. */
  readonly keyIds: readonly string[] | null;
  readonly from: string;
  readonly to: string;
};

/** Reads at most `limit` rows, oldest day first. */
export const readUsage = (
  db: Db,
  { accountId, keyIds, from, to }: UsageQuery,
  limit: number,
): Promise<UsageCounts[]> => db.$queryRaw<UsageCounts[]>`
  SELECT day::text AS date, key_id, requests::float8, cache_hits::float8, cold_deliveries, job_rows, search_pages,
         failures::float8, credits_charged
  FROM usage_between(p_account_id => ${accountId}::uuid, p_from => ${from}::date, p_to => ${to}::date)
  WHERE ${keyIds}::uuid[] IS NULL OR key_id = ANY (${keyIds}::uuid[])
  ORDER BY day, key_id LIMIT ${limit}`;

type FilteredKey = { readonly accountId: string; readonly keyId: string | null };

/** Whether the key of a filter is the account's: rows of it were found, or there is usage or a charge of it. */
export const isKnownKey = async (
  db: Db,
  { accountId, keyId }: FilteredKey,
  found: number,
): Promise<boolean> => {
  if (keyId === null || found > 0) return true;
  return readValue(db.$queryRaw`
    SELECT EXISTS (SELECT FROM key_days WHERE account_id = ${accountId}::uuid AND key_id = ${keyId}::uuid)
        OR EXISTS (SELECT FROM usage_days WHERE account_id = ${accountId}::uuid AND key_id = ${keyId}::uuid)
        AS value`);
};

/** Deletes the oldest batches received before a moment. Resolves to their number. */
export const deleteUsageBatches = (db: Database, before: Date, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM usage_batches WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM usage_batches WHERE received_at < ${before} ORDER BY received_at LIMIT ${limit}))`;
