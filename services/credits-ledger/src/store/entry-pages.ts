import { entryKind, type LedgerEntry } from '@tds/contracts';
import type { Sql } from './database.ts';

/** Longer than anybody pauses between two pages. */
const READING_MINUTES = 60;
/** In place of a key where a session reads. */
const SESSION = '00000000-0000-0000-0000-000000000000';

type Row = {
  readonly version: bigint;
  readonly kind: string;
  readonly ref: string;
  readonly free_delta: number;
  readonly purchased_delta: number;
  readonly reserved_delta: number;
  readonly free_after: number;
  readonly purchased_after: number;
  readonly reserved_after: number;
  readonly reason: string | null;
  readonly key_id: string | null;
  readonly request_id: string | null;
  readonly created_at: Date;
};

const bucket = (after: number, delta: number) => ({ before: after - delta, after });

const toEntry = (row: Row): LedgerEntry => ({
  version: Number(row.version),
  createdAt: row.created_at.toISOString(),
  kind: entryKind.parse(row.kind),
  free: bucket(row.free_after, row.free_delta),
  purchased: bucket(row.purchased_after, row.purchased_delta),
  reserved: bucket(row.reserved_after, row.reserved_delta),
  reason: row.reason,
  ref: row.ref,
  keyId: row.key_id,
  requestId: row.request_id,
});

export async function newestVersion(sql: Sql, accountId: string): Promise<number> {
  const [row] = await sql.$queryRaw<{ version: bigint }[]>`
    SELECT version FROM accounts WHERE account_id = ${accountId}::uuid`;
  return Number(row?.version ?? 0);
}

/** Where this reader's latest reading began; null where there was none, or long ago. */
export async function findReading(
  sql: Sql,
  accountId: string,
  readerId: string | null,
): Promise<number | null> {
  const [row] = await sql.$queryRaw<{ as_of: bigint }[]>`
    SELECT as_of FROM ledger_readings
    WHERE account_id = ${accountId}::uuid AND reader_id = ${readerId ?? SESSION}::uuid
      AND begun_at > now() - make_interval(mins => ${READING_MINUTES})`;
  return row ? Number(row.as_of) : null;
}

export const beginReading = (
  sql: Sql,
  accountId: string,
  readerId: string | null,
  asOf: number,
): Promise<unknown> =>
  sql.$queryRaw`
    INSERT INTO ledger_readings (account_id, reader_id, as_of, begun_at)
    VALUES (${accountId}::uuid, ${readerId ?? SESSION}::uuid, ${asOf}::bigint, now())
    ON CONFLICT (account_id, reader_id) DO UPDATE SET as_of = excluded.as_of, begun_at = excluded.begun_at`;

export type PageAsk = {
  readonly accountId: string;
  readonly asOf: number;
  readonly limit: number;
  readonly offset: number;
};

/** Newest first. Versions have no gaps, so a page of any depth is found as fast as the first. */
export async function readEntries(
  sql: Sql,
  { accountId, asOf, limit, offset }: PageAsk,
): Promise<LedgerEntry[]> {
  const rows = await sql.$queryRaw<Row[]>`
    SELECT * FROM entries
    WHERE account_id = ${accountId}::uuid AND version <= ${Math.max(0, asOf - offset)}::bigint
    ORDER BY version DESC LIMIT ${limit}`;
  return rows.map(toEntry);
}

/** Of one key. The versions are found in the index alone, and only the page's rows are read. */
export async function readEntriesOfKey(
  sql: Sql,
  keyId: string,
  { accountId, asOf, limit, offset }: PageAsk,
): Promise<{ rows: LedgerEntry[]; total: number }> {
  const rows = await sql.$queryRaw<Row[]>`
    SELECT e.* FROM (
      SELECT account_id, version FROM entries
      WHERE account_id = ${accountId}::uuid AND key_id = ${keyId}::uuid AND version <= ${asOf}::bigint
      ORDER BY version DESC LIMIT ${limit} OFFSET ${offset}::bigint
    ) AS p JOIN entries AS e USING (account_id, version)
    ORDER BY version DESC`;
  const [count] = await sql.$queryRaw<{ total: bigint }[]>`
    SELECT entries_of_key(${accountId}::uuid, ${keyId}::uuid, ${asOf}::bigint) AS total`;
  return { rows: rows.map(toEntry), total: Number(count?.total ?? 0) };
}
