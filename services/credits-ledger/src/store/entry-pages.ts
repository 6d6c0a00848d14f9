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
  readonly subject: LedgerEntry['subject'];
  readonly parts: readonly number[] | null;
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
  subject: row.subject,
  parts: row.parts?.length ?? null,
});

export type PageAsk = {
  readonly accountId: string;
  /** Null reads every line. */
  readonly keyId: string | null;
  readonly limit: number;
  readonly offset: number;
  /** Null is the newest line. */
  readonly asOf: number | null;
};
export type EntryPage = {
  readonly rows: LedgerEntry[];
  readonly asOf: number;
  readonly total: number;
  readonly seal: string | null;
};

/** A page without lines is one row that has none. */
type PageRow = { readonly as_of: string; readonly total: string; readonly seal: string | null } & (
  | EntryRow
  | { readonly version: null }
);

const toPage = (rows: readonly PageRow[]): EntryPage => {
  const [first] = rows;
  if (!first) throw new Error('a page of the ledger was not answered');
  return {
    rows: rows.flatMap((row) => (row.version === null ? [] : [toEntry(row)])),
    asOf: Number(first.as_of),
    total: Number(first.total),
    seal: first.seal,
  };
};

/** The newest line at most, so that a page never promises lines that do not exist yet. */
const AS_OF = `(
  SELECT least($4::bigint, coalesce((SELECT lines FROM accounts WHERE account_id = $1), 0)) AS as_of
) AS r`;

/** Of the newest line of the reading, and so of all entries before it. */
const SEAL = `(
  SELECT encode(s.hash, 'hex') FROM entries AS n JOIN entry_seals AS s USING (account_id, version)
  WHERE n.account_id = $1 AND n.line = r.as_of
) AS seal`;

const OF_ALL = {
  name: 'page-of-all',
  text: `
    SELECT r.as_of, r.as_of AS total, ${SEAL}, e.*
    FROM ${AS_OF}
    LEFT JOIN LATERAL (
      SELECT * FROM entries WHERE account_id = $1 AND line <= r.as_of - $3::bigint ORDER BY line DESC LIMIT $2
    ) AS e ON true
    ORDER BY e.line DESC`,
};

/**
 * The total is the sum over the key's days, minus the lines after the page's snapshot. The lines of the page are found in the
 * index alone.
 */
const OF_KEY = {
  name: 'page-of-key',
  text: `
    SELECT r.as_of,
           (SELECT coalesce(sum(lines), 0) FROM key_days WHERE account_id = $1 AND key_id = $5)
           - (SELECT count(*) FROM entries WHERE account_id = $1 AND key_id = $5 AND line > r.as_of) AS total,
           ${SEAL}, e.*
    FROM ${AS_OF}
    LEFT JOIN LATERAL (
      SELECT f.* FROM (
        SELECT account_id, line FROM entries WHERE account_id = $1 AND key_id = $5 AND line <= r.as_of
        ORDER BY line DESC LIMIT $2 OFFSET $3::bigint
      ) AS p JOIN entries AS f USING (account_id, line)
    ) AS e ON true
    ORDER BY e.line DESC`,
};

/** Newest first, in one statement. An account's lines are numbered, so every page is found as fast as the first. */
export const readPage = async (
  sql: Sql,
  { accountId, keyId, limit, offset, asOf }: PageAsk,
): Promise<EntryPage> => {
  const values = [accountId, limit, offset, asOf];
  return toPage(
    await (keyId === null ? sql<PageRow>(OF_ALL, values) : sql<PageRow>(OF_KEY, [...values, keyId])),
  );
};
