import type { Sql } from '@tds/base';
import type { creditsLedger, LedgerEntry, RequestOf } from '@tds/contracts';
import { type Db, readValue } from './database.ts';

/** A `release` is a line only if free credits came back after the end of their month. */
const kinds = {
  monthly_grant: 'monthly_grant',
  grant: 'grant',
  settle: 'delivery',
  charge: 'delivery',
  refund: 'refund',
  release: 'expiry',
  debt_taken: 'debt',
  debt_paid: 'debt_payment',
  dispute: 'dispute',
  purchase_refund: 'purchase_refund',
} as const satisfies Record<string, LedgerEntry['kind']>;

/** Without the person and the kind of its key. */
type Line = Omit<LedgerEntry, 'person_id' | 'via'>;

type EntryRow = {
  readonly version: string;
  readonly kind: keyof typeof kinds;
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
  readonly subject: Partial<Pick<LedgerEntry, 'video_id' | 'language' | 'q' | 'type'>> | null;
  readonly items: readonly number[] | null;
  readonly job_id: string | null;
};

const bucket = (after: number, delta: number) => ({ before: after - delta, after });

const toEntry = (row: EntryRow): Line => {
  const { subject, job_id } = row;
  const amount = row.free_delta + row.purchased_delta + row.reserved_delta;
  return {
    id: row.version,
    created_at: row.created_at.toISOString(),
    kind: kinds[row.kind],
    amount,
    balance: bucket(row.free_after + row.purchased_after + row.reserved_after, amount),
    free: bucket(row.free_after, row.free_delta),
    purchased: bucket(row.purchased_after, row.purchased_delta),
    reserved: bucket(row.reserved_after, row.reserved_delta),
    reason: row.reason,
    video_id: subject?.video_id ?? null,
    language: subject?.language ?? null,
    job_id,
    rows: job_id === null ? null : (row.items?.length ?? null),
    q: subject?.q ?? null,
    type: subject?.type ?? null,
    reference: row.ref,
    key_id: row.key_id,
    request_id: row.request_id,
  };
};

type PageRequest = Omit<RequestOf<typeof creditsLedger.getLedger>, 'keyId' | 'personId' | 'via'> & {
  /** Null for all keys. */
  readonly keyIds: readonly string[] | null;
};
type EntryPage = {
  readonly rows: Line[];
  readonly asOf: number;
  readonly total: number;
  readonly seal: string | null;
};

/** A page without lines is one row without a line. */
type PageRow = { readonly as_of: string; readonly total: string; readonly seal: string | null } & (
  | EntryRow
  | { readonly version: null }
);

const toPage = (rows: readonly PageRow[]): EntryPage => {
  const [first] = rows;
  if (!first) throw new Error('the ledger did not answer a page');
  return {
    rows: rows.flatMap((row) => (row.version === null ? [] : [toEntry(row)])),
    asOf: Number(first.as_of),
    total: Number(first.total),
    seal: first.seal,
  };
};

const PAGE =
  'SELECT * FROM lines_page(p_account_id => $1, p_key_ids => $2, p_job_id => $3, p_limit => $4, p_offset => $5, p_as_of => $6)';

/** Reads a page of lines, newest first. Lines are numbered for each account, so every page is as fast as the first. */
export const readPage = async (
  sql: Sql,
  { accountId, keyIds, jobId, limit, offset, asOf }: PageRequest,
): Promise<EntryPage> => toPage(await sql<PageRow>(PAGE, [accountId, keyIds, jobId, limit, offset, asOf]));

/** Seals the next `limit` entries. Resolves to how many it read: fewer than `limit` if there are no more. */
export const sealEntries = (db: Db, limit: number): Promise<number> =>
  readValue(db.$queryRaw`SELECT seal_entries(${limit}::integer) AS value`);

/** Opens this month and the next `ahead`. Resolves to the number that were missing. */
export const openMonths = (db: Db, ahead: number): Promise<number> =>
  readValue(db.$queryRaw`SELECT open_months(${ahead}::integer) AS value`);

/** The number of months after this one that are open without a gap. */
export const countMonthsAhead = (db: Db, max: number): Promise<number> =>
  readValue(db.$queryRaw`
    SELECT coalesce(min(n) FILTER (
      WHERE NOT month_is_open((period_of(clock_timestamp()) + n * interval '1 month')::date)
    ), ${max}::integer + 1) - 1 AS value
    FROM generate_series(1, ${max}::integer) AS n`);
