import { onlyRow, type Sql } from '@tds/base';
import {
  type creditsLedger,
  type FoundItems,
  newId,
  type OpenReservation,
  type ReplyOf,
  type RequestOf,
  type ShortageCause,
} from '@tds/contracts';
import type {
  ChargeOutcome,
  ItemsAnswer,
  RefundOutcome,
  ReserveOutcome,
  ResolveOutcome,
} from '../domain/replies.ts';
import { type LedgerAnswerRow, toAnswer } from './accounts.ts';

const LIST_OPEN = `
  SELECT ref, created_at::text AS "createdAt" FROM reservations
  WHERE resolved_at IS NULL AND reason = $1 AND created_at < clock_timestamp() - $2 * interval '1 millisecond'
    AND (created_at, ref) > ($3::timestamptz, $4)
  ORDER BY created_at, ref LIMIT $5`;

/** Ages are by the database's clock. Oldest first. */
export const readOpenReservations = (
  sql: Sql,
  { reason, olderThanMs, after, limit }: RequestOf<typeof creditsLedger.listOpenReservations>,
): Promise<OpenReservation[]> =>
  sql(LIST_OPEN, [reason, olderThanMs, after?.createdAt ?? '-infinity', after?.ref ?? '', limit]);

/** The answered columns of a reservation `r`. */
const COLUMNS = `
  r.ref, r.unit, items_of(r.charged) AS charged, items_of(r.refunded) AS refunded, items_of(r.released) AS "released",
  CASE WHEN r.resolved_at IS NULL THEN ARRAY(
    SELECT n FROM unnest(items_of(r.items)) AS n WHERE NOT has_item(r.charged, n) AND NOT has_item(r.released, n)
  ) ELSE '{}' END AS held`;

const LIST_CHARGED = `
  SELECT ${COLUMNS}
  FROM reservations AS r
  WHERE r.ref > $4 AND r.reason = $1 AND bit_count(r.charged) > 0
    AND r.ref_month >= date_trunc('month', (now() - $3 * interval '1 millisecond') AT TIME ZONE 'UTC')::date
    AND r.created_at < clock_timestamp() - $2 * interval '1 millisecond'
    AND r.created_at > clock_timestamp() - $3 * interval '1 millisecond'
  ORDER BY r.ref LIMIT $5`;

/** Refs begin with their time, so old reservations are not read. */
const firstRef = (youngerThanMs: number): string => newId(new Date(Date.now() - youngerThanMs)).slice(0, 13);

export const readChargedReservations = (
  sql: Sql,
  { reason, olderThanMs, youngerThanMs, after, limit }: RequestOf<typeof creditsLedger.listChargedReservations>,
): Promise<FoundItems[]> =>
  sql(LIST_CHARGED, [reason, olderThanMs, youngerThanMs, after ?? firstRef(youngerThanMs), limit]);

/** A subquery hides the number of refs, because a plan for that number would be made anew each time, over all months. */
const FOUND_ITEMS = `
  SELECT ${COLUMNS}
  FROM (SELECT DISTINCT unnest((SELECT $1::text[])) AS asked_ref) AS asked
  CROSS JOIN LATERAL (
    SELECT * FROM reservations WHERE ref = asked_ref AND ref_month = month_of_ref(asked_ref) LIMIT 1
  ) AS r`;

/** Leaves out unknown refs. */
export const readItems = (sql: Sql, refs: readonly string[]): Promise<FoundItems[]> => sql(FOUND_ITEMS, [refs]);

const OF_JOB = `SELECT ${COLUMNS} FROM reservations AS r WHERE r.account_id = $1 AND r.job_id = $2 ORDER BY r.ref`;

type JobItems = Omit<ReplyOf<typeof creditsLedger.lookUpJob>, 'ledgerEpoch'>;

export const readJob = async (
  sql: Sql,
  { accountId, jobId }: RequestOf<typeof creditsLedger.lookUpJob>,
): Promise<JobItems> => {
  const rows = await sql<FoundItems>(OF_JOB, [accountId, jobId]);
  const paid = rows.flatMap(({ charged, refunded }) => charged.filter((item) => !refunded.includes(item)));
  return {
    charged: [...new Set(paid)].toSorted((one, other) => one - other),
    held: rows.flatMap(({ ref, held }) => (held.length > 0 ? [{ ref, items: held }] : [])),
  };
};

type ItemsRow<Outcome extends string> = LedgerAnswerRow<Outcome> & {
  readonly held: number[] | null;
  readonly charged: number[] | null;
  readonly lacked: ShortageCause | null;
  readonly cap_left: string | null;
};

async function readAnswer<Outcome extends string>(
  rows: Promise<ItemsRow<Outcome>[]>,
): Promise<ItemsAnswer<Outcome>> {
  const row = onlyRow(await rows);
  const { account_id: accountId, held, charged, lacked, cap_left: capLeft } = row;
  return {
    ...toAnswer(row),
    accountId,
    held: held ?? [],
    charged: charged ?? [],
    lacked,
    capLeft: capLeft === null ? null : Number(capLeft),
  };
}

export type ReserveItemsRequest = RequestOf<typeof creditsLedger.reserveItems>;
export type ChargeItemsRequest = RequestOf<typeof creditsLedger.chargeItems>;

/** The SQL type `items_request`. */
const toJson = (request: ChargeItemsRequest & Partial<ReserveItemsRequest>): string => {
  const { accountId: account_id, keyId: key_id, limitId: limit_id, dailyCreditCap: daily_cap } = request;
  const { ref, unit, items, coverage, requestId: request_id, reason, subject, jobId: job_id } = request;
  const columns = { account_id, key_id, limit_id, daily_cap, ref, unit, items, coverage };
  return JSON.stringify({ ...columns, request_id, reason, subject, job_id });
};

const RESERVE = 'SELECT * FROM reserve_items($1::jsonb, $2)';

/** Holds items. Waits for a locked account for `waitMs`. */
export const reserveItems = (
  sql: Sql,
  request: ReserveItemsRequest,
  waitMs: number,
): Promise<ItemsAnswer<ReserveOutcome>> => readAnswer(sql(RESERVE, [toJson(request), waitMs]));

const RESOLVE =
  'SELECT * FROM resolve_items(p_kind => $1, p_ref => $2, p_items => $3::smallint[], p_request_id => $4, p_wait_ms => $5)';

/** Charges items (`settle`) or releases them (`release`). */
export type Resolve = {
  readonly kind: 'settle' | 'release';
  readonly ref: string;
  readonly items: readonly number[];
  readonly requestId: string;
};

export const resolveItems = (
  sql: Sql,
  { kind, ref, items, requestId }: Resolve,
  waitMs: number,
): Promise<ItemsAnswer<ResolveOutcome>> => readAnswer(sql(RESOLVE, [kind, ref, items, requestId, waitMs]));

/** Charges delivered items, whether or not they were held. */
export const chargeItems = (sql: Sql, request: ChargeItemsRequest): Promise<ItemsAnswer<ChargeOutcome>> =>
  readAnswer(sql('SELECT * FROM charge_items($1::jsonb)', [toJson(request)]));

export type RefundItemsRequest = RequestOf<typeof creditsLedger.refundItems> & { readonly requestId: string };

const REFUND = 'SELECT * FROM refund_items(p_ref => $1, p_items => $2::smallint[], p_request_id => $3)';

export const refundItems = (
  sql: Sql,
  { ref, items, requestId }: RefundItemsRequest,
): Promise<ItemsAnswer<RefundOutcome>> => readAnswer(sql(REFUND, [ref, items, requestId]));
