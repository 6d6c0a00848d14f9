import type { LedgerEntry } from '@tds/contracts';
import type { Sql } from '@tds/service-kit';

type EntryRow = {
  readonly version: string;
  readonly kind: LedgerEntry['kind'];
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
  kind: row.kind,
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
type PageRow = { readonly as_of: string; readonly total: string } & (EntryRow | { readonly version: null });

const toPage = (rows: readonly PageRow[]): EntryPage => {
  const [first] = rows;
  if (!first) throw new Error('a page of the ledger was not answered');
  return {
    rows: rows.flatMap((row) => (row.version === null ? [] : [toEntry(row)])),
    asOf: Number(first.as_of),
    total: Number(first.total),
  };
};

const OF_ALL = {
  name: 'page-of-all',
  text: `
    SELECT r.as_of, r.as_of AS total, e.*
    FROM reading_of($1, $2, $3, $4, $5) AS r (as_of)
    LEFT JOIN LATERAL (
      SELECT * FROM entries WHERE account_id = $1 AND version <= r.as_of - $4 ORDER BY version DESC LIMIT $3
    ) AS e ON true
    ORDER BY e.version DESC`,
};

/** The versions are found in the index alone, and only the page's own rows are read. */
const OF_KEY = {
  name: 'page-of-key',
  text: `
    SELECT r.as_of, entries_of_key($1, $6, r.as_of) AS total, e.*
    FROM reading_of($1, $2, $3, $4, $5) AS r (as_of)
    LEFT JOIN LATERAL (
      SELECT f.* FROM (
        SELECT account_id, version FROM entries WHERE account_id = $1 AND key_id = $6 AND version <= r.as_of
        ORDER BY version DESC LIMIT $3 OFFSET $4
      ) AS p JOIN entries AS f USING (account_id, version)
    ) AS e ON true
    ORDER BY e.version DESC`,
};

/** Newest first, in one statement. Of all keys, versions have no gaps: any page is found as fast as the first. */
export const readPage = async (
  sql: Sql,
  { accountId, keyId, readerId, limit, offset, asOf }: PageAsk,
): Promise<EntryPage> => {
  const values = [accountId, readerId, limit, offset, asOf];
  return toPage(
    await (keyId === null ? sql<PageRow>(OF_ALL, values) : sql<PageRow>(OF_KEY, [...values, keyId])),
  );
};
