import type { Sql } from '@tds/base';
import {
  type creditsLedger,
  type FoundParts,
  type Lacking,
  newId,
  type OpenReservation,
  type ReplyOf,
  type RequestOf,
} from '@tds/contracts';
import type {
  ChargeOutcome,
  PartsAnswer,
  RefundOutcome,
  ReserveOutcome,
  ResolveOutcome,
} from '../domain/replies.ts';
import { type AnswerRow, toAnswer } from './accounts.ts';

const LIST_OPEN = {
  name: 'open-reservations',
  text: `
    SELECT ref, created_at::text AS "createdAt" FROM reservations
    WHERE resolved_at IS NULL AND reason = $1 AND created_at < clock_timestamp() - $2 * interval '1 millisecond'
      AND (created_at, ref) > ($3::timestamptz, $4)
    ORDER BY created_at, ref LIMIT $5`,
};

/** Ages are by the database's clock. Oldest first. */
export const readOpenReservations = (
  sql: Sql,
  { reason, olderThanMs, after, limit }: RequestOf<typeof creditsLedger.listOpenReservations>,
): Promise<OpenReservation[]> =>
  sql(LIST_OPEN, [reason, olderThanMs, after?.createdAt ?? '-infinity', after?.ref ?? '', limit]);

/** The answered columns of a reservation `r`. */
const COLUMNS = `
  r.ref, r.unit, parts_of(r.charged) AS charged, parts_of(r.refunded) AS refunded, parts_of(r.released) AS "released",
  CASE WHEN r.resolved_at IS NULL THEN ARRAY(
    SELECT n FROM unnest(parts_of(r.parts)) AS n WHERE NOT has_part(r.charged, n) AND NOT has_part(r.released, n)
  ) ELSE '{}' END AS held`;

const LIST_CHARGED = {
  name: 'charged-reservations',
  text: `
    SELECT ${COLUMNS}
    FROM reservations AS r
    WHERE r.ref > $4 AND r.reason = $1 AND bit_count(r.charged) > 0
      AND r.ref_month >= date_trunc('month', (now() - $3 * interval '1 millisecond') AT TIME ZONE 'UTC')::date
      AND r.created_at < clock_timestamp() - $2 * interval '1 millisecond'
      AND r.created_at > clock_timestamp() - $3 * interval '1 millisecond'
    ORDER BY r.ref LIMIT $5`,
};

/** Refs begin with their time, so old reservations are not read. */
const firstRef = (youngerThanMs: number): string => newId(new Date(Date.now() - youngerThanMs)).slice(0, 13);

export const readChargedReservations = (
  sql: Sql,
  {
    reason,
    olderThanMs,
    youngerThanMs,
    after,
    limit,
  }: RequestOf<typeof creditsLedger.listChargedReservations>,
): Promise<FoundParts[]> =>
  sql(LIST_CHARGED, [reason, olderThanMs, youngerThanMs, after ?? firstRef(youngerThanMs), limit]);

/** A subquery hides the number of refs, because a plan for that number would be made anew each time, over all months. */
const FOUND_PARTS = {
  name: 'found-parts',
  text: `
    SELECT ${COLUMNS}
    FROM (SELECT DISTINCT unnest((SELECT $1::text[])) AS asked_ref) AS asked
    CROSS JOIN LATERAL (
      SELECT * FROM reservations WHERE ref = asked_ref AND ref_month = month_of_ref(asked_ref) LIMIT 1
    ) AS r`,
};

/** Leaves out unknown refs. */
export const readParts = (sql: Sql, refs: readonly string[]): Promise<FoundParts[]> =>
  sql(FOUND_PARTS, [refs]);

const OF_JOB = {
  name: 'parts-of-job',
  text: `SELECT ${COLUMNS} FROM reservations AS r WHERE r.account_id = $1 AND r.job_id = $2 ORDER BY r.ref`,
};

type JobParts = Omit<ReplyOf<typeof creditsLedger.lookUpJob>, 'ledgerEpoch'>;

export const readJob = async (
  sql: Sql,
  { accountId, jobId }: RequestOf<typeof creditsLedger.lookUpJob>,
): Promise<JobParts> => {
  const rows = await sql<FoundParts>(OF_JOB, [accountId, jobId]);
  const paid = rows.flatMap(({ charged, refunded }) => charged.filter((part) => !refunded.includes(part)));
  return {
    charged: [...new Set(paid)].toSorted((one, other) => one - other),
    held: rows.flatMap(({ ref, held }) => (held.length > 0 ? [{ ref, parts: held }] : [])),
  };
};

type PartsRow<Outcome extends string> = AnswerRow<Outcome> & {
  readonly held: number[] | null;
  readonly charged: number[] | null;
  readonly lacked: Lacking | null;
  readonly cap_left: string | null;
};

async function readAnswer<Outcome extends string>(
  rows: Promise<PartsRow<Outcome>[]>,
): Promise<PartsAnswer<Outcome>> {
  const [row] = await rows;
  if (!row) throw new Error('the ledger did not answer');
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

export type ReservePartsRequest = RequestOf<typeof creditsLedger.reserveParts>;
export type ChargePartsRequest = RequestOf<typeof creditsLedger.chargeParts>;

/** The SQL type `parts_request`. */
const toJson = (request: ChargePartsRequest & Partial<ReservePartsRequest>): string => {
  const { accountId: account_id, keyId: key_id, limitId: limit_id, dailyCreditCap: daily_cap } = request;
  const { ref, unit, parts, coverage, requestId: request_id, reason, subject, jobId: job_id } = request;
  const columns = { account_id, key_id, limit_id, daily_cap, ref, unit, parts, coverage };
  return JSON.stringify({ ...columns, request_id, reason, subject, job_id });
};

const RESERVE = { name: 'reserve-parts', text: 'SELECT * FROM reserve_parts($1::jsonb, $2)' };

/** Holds parts. Waits for a locked account for `waitMs`. */
export const reserveParts = (
  sql: Sql,
  request: ReservePartsRequest,
  waitMs: number,
): Promise<PartsAnswer<ReserveOutcome>> => readAnswer(sql(RESERVE, [toJson(request), waitMs]));

const RESOLVE = {
  name: 'resolve-parts',
  text: 'SELECT * FROM resolve_parts($1, $2, $3::smallint[], $4, $5)',
};

/** Charges parts (`settle`) or releases them (`release`). */
export type Resolve = {
  readonly kind: 'settle' | 'release';
  readonly ref: string;
  readonly parts: readonly number[];
  readonly requestId: string;
};

export const resolveParts = (
  sql: Sql,
  { kind, ref, parts, requestId }: Resolve,
  waitMs: number,
): Promise<PartsAnswer<ResolveOutcome>> => readAnswer(sql(RESOLVE, [kind, ref, parts, requestId, waitMs]));

const CHARGE = { name: 'charge-parts', text: 'SELECT * FROM charge_parts($1::jsonb)' };

/** Charges delivered parts, whether or not they were held. */
export const chargeParts = (sql: Sql, request: ChargePartsRequest): Promise<PartsAnswer<ChargeOutcome>> =>
  readAnswer(sql(CHARGE, [toJson(request)]));

export type RefundPartsRequest = RequestOf<typeof creditsLedger.refundParts> & { readonly requestId: string };

const REFUND = { name: 'refund-parts', text: 'SELECT * FROM refund_parts($1, $2::smallint[], $3)' };

export const refundParts = (
  sql: Sql,
  { ref, parts, requestId }: RefundPartsRequest,
): Promise<PartsAnswer<RefundOutcome>> => readAnswer(sql(REFUND, [ref, parts, requestId]));
