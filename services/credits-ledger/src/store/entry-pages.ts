import { entryKind, type LedgerEntry } from '@tds/contracts';
import type { Sql } from './database.ts';

type EntryRow = {
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

const toEntry = (row: EntryRow): LedgerEntry => ({
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

export type PageAsk = {
  readonly accountId: string;
  /** Null reads every entry. */
  readonly keyId: string | null;
  /** Null is a session. */
  readonly readerId: string | null;
  readonly limit: number;
  readonly offset: number;
  readonly asOf: number | null;
};
export type EntryPage = { readonly rows: LedgerEntry[]; readonly asOf: number; readonly total: number };

/** A page without entries is one row that has none. */
type PageRow = { readonly as_of: bigint; readonly total: bigint } & (EntryRow | { readonly version: null });

const toPage = (rows: readonly PageRow[]): EntryPage => {
  const [first] = rows;
  if (!first) throw new Error('a page of the ledger was not answered');
  return {
    rows: rows.flatMap((row) => (row.version === null ? [] : [toEntry(row)])),
    asOf: Number(first.as_of),
    total: Number(first.total),
  };
};

/** Newest first, in one statement. Of all keys, versions have no gaps: any page is found as fast as the first. */
export const readPage = async (sql: Sql, ask: PageAsk): Promise<EntryPage> =>
  toPage(await (ask.keyId === null ? pageOfAll(sql, ask) : pageOfKey(sql, ask.keyId, ask)));

const pageOfAll = (sql: Sql, { accountId, readerId, limit, offset, asOf }: PageAsk): Promise<PageRow[]> =>
  sql.$queryRaw`
    SELECT r.as_of, r.as_of AS total, e.*
    FROM reading_of(${accountId}::uuid, ${readerId}::uuid, ${limit}::integer, ${offset}::bigint, ${asOf}::bigint)
      AS r (as_of)
    LEFT JOIN LATERAL (
      SELECT * FROM entries WHERE account_id = ${accountId}::uuid AND version <= r.as_of - ${offset}::bigint
      ORDER BY version DESC LIMIT ${limit}
    ) AS e ON true
    ORDER BY e.version DESC`;

/** The versions are found in the index alone, and only the page's own rows are read. */
const pageOfKey = (sql: Sql, keyId: string, ask: PageAsk): Promise<PageRow[]> => {
  const { accountId, readerId, limit, offset, asOf } = ask;
  return sql.$queryRaw`
    SELECT r.as_of, entries_of_key(${accountId}::uuid, ${keyId}::uuid, r.as_of) AS total, e.*
    FROM reading_of(${accountId}::uuid, ${readerId}::uuid, ${limit}::integer, ${offset}::bigint, ${asOf}::bigint)
      AS r (as_of)
    LEFT JOIN LATERAL (
      SELECT f.* FROM (
        SELECT account_id, version FROM entries
        WHERE account_id = ${accountId}::uuid AND key_id = ${keyId}::uuid AND version <= r.as_of
        ORDER BY version DESC LIMIT ${limit} OFFSET ${offset}::bigint
      ) AS p JOIN entries AS f USING (account_id, version)
    ) AS e ON true
    ORDER BY e.version DESC`;
};
