import type { Sql } from '@tds/base';
import {
  type creditsLedger,
  type FoundParts,
  newId,
  type OpenReservation,
  type ReplyOf,
  type RequestOf,
} from '@tds/contracts';
import type { ChargeOutcome, LedgerAnswer, RefundOutcome } from '../domain/replies.ts';
import { type AnswerRow, toAnswer } from './accounts.ts';
import type { Db } from './database.ts';

const OPEN = {
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
  sql(OPEN, [reason, olderThanMs, after?.createdAt ?? '-infinity', after?.ref ?? '', limit]);

/** The answered columns of a reservation `r`. */
const FOUND = `
  r.ref, r.unit, parts_of(r.charged) AS charged, parts_of(r.refunded) AS refunded, parts_of(r.given_back) AS "givenBack",
  CASE WHEN r.resolved_at IS NULL THEN ARRAY(
    SELECT n FROM unnest(parts_of(r.parts)) AS n WHERE NOT has_part(r.charged, n) AND NOT has_part(r.given_back, n)
  ) ELSE '{}' END AS held`;

const CHARGED = {
  name: 'charged-reservations',
  text: `
    SELECT ${FOUND}
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
  sql(CHARGED, [reason, olderThanMs, youngerThanMs, after ?? firstRef(youngerThanMs), limit]);

/** A subquery hides the number of refs, because a plan for that number would be made anew each time, over all months. */
const FOUND_PARTS = {
  name: 'found-parts',
  text: `
    SELECT ${FOUND}
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
  text: `SELECT ${FOUND} FROM reservations AS r WHERE r.account_id = $1 AND r.job_id = $2 ORDER BY r.ref`,
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

type PartsRow<Outcome extends string> = AnswerRow<Outcome> & { readonly charged: number[] | null };
type ChargedAnswer<Outcome extends string> = LedgerAnswer<Outcome> & { readonly charged: number[] };

async function only<Outcome extends string>(
  rows: Promise<PartsRow<Outcome>[]>,
): Promise<ChargedAnswer<Outcome>> {
  const [row] = await rows;
  if (!row) throw new Error('the ledger did not answer');
  return { ...toAnswer(row), charged: row.charged ?? [] };
}

export type ChargePartsRequest = RequestOf<typeof creditsLedger.chargeParts>;

/** Charges delivered parts, whether or not they were held. */
export const chargeParts = (db: Db, given: ChargePartsRequest): Promise<ChargedAnswer<ChargeOutcome>> => {
  const { accountId: account_id, ref, unit, parts, keyId: key_id, limitId: limit_id } = given;
  const { requestId: request_id, reason, subject, jobId: job_id } = given;
  const request = { account_id, ref, unit, parts, key_id, limit_id, request_id, reason, subject, job_id };
  return only(db.$queryRaw`SELECT * FROM charge_parts(${JSON.stringify(request)}::jsonb)`);
};

export type RefundPartsRequest = RequestOf<typeof creditsLedger.refundParts> & { readonly requestId: string };

export const refundParts = (
  db: Db,
  { ref, parts, requestId }: RefundPartsRequest,
): Promise<ChargedAnswer<RefundOutcome>> =>
  only(db.$queryRaw`SELECT * FROM refund_parts(${ref}, ${parts}::smallint[], ${requestId})`);
