import {
  type ChargedReservation,
  type creditsLedger,
  type FoundReservation,
  newId,
  type OpenReservation,
  type RequestOf,
} from '@tds/contracts';
import type { Sql } from '@tds/service-kit';

const OPEN = {
  name: 'open-reservations',
  text: `
    SELECT ref, created_at::text AS "createdAt" FROM reservations
    WHERE resolved_at IS NULL AND reason = $1 AND created_at < clock_timestamp() - $2 * interval '1 millisecond'
      AND (created_at, ref) > ($3::timestamptz, $4)
    ORDER BY created_at, ref LIMIT $5`,
};

/** By the database's clock, oldest first. */
export const readOpenReservations = (
  sql: Sql,
  { reason, olderThanMs, after, limit }: RequestOf<typeof creditsLedger.listOpenReservations>,
): Promise<OpenReservation[]> =>
  sql(OPEN, [reason, olderThanMs, after?.createdAt ?? '-infinity', after?.ref ?? '', limit]);

/** What is told of a reservation `r`. */
const FOUND = `
  r.ref, CASE WHEN r.resolved_at IS NULL THEN 'open' ELSE r.state END AS state,
  r.resolved_at IS NOT NULL AND EXISTS (
    SELECT FROM entries AS e
    WHERE e.account_id = r.account_id AND e.kind = 'grant' AND e.ref = 'refund:' || r.ref AND e.reserved_delta = 0
      -- Whoever made the ref may have been a little ahead of this clock.
      AND e.period >= r.ref_month - 31
  ) AS "isRefunded"`;

const CHARGED = {
  name: 'charged-reservations',
  text: `
    SELECT ${FOUND}, bit_count(p.charged)::int AS charged
    FROM reservation_parts AS p
    CROSS JOIN LATERAL (
      SELECT * FROM reservations WHERE ref = p.ref AND ref_month = month_of_ref(p.ref) LIMIT 1
    ) AS r
    WHERE p.ref > $4 AND p.credits_charged > 0 AND r.reason = $1
      AND r.created_at < clock_timestamp() - $2 * interval '1 millisecond'
      AND r.created_at > clock_timestamp() - $3 * interval '1 millisecond'
    ORDER BY p.ref LIMIT $5`,
};

/** Refs begin with their time: what is too old is not looked at. */
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
): Promise<ChargedReservation[]> =>
  sql(CHARGED, [reason, olderThanMs, youngerThanMs, after ?? firstRef(youngerThanMs), limit]);

const STATES = {
  name: 'reservation-states',
  text: `
    SELECT ${FOUND}
    FROM (SELECT DISTINCT unnest($1::text[]) AS asked_ref) AS asked
    CROSS JOIN LATERAL (
      SELECT * FROM reservations WHERE ref = asked_ref AND ref_month = month_of_ref(asked_ref) LIMIT 1
    ) AS r`,
};

/** Of those that are known. */
export const readStates = (sql: Sql, refs: readonly string[]): Promise<FoundReservation[]> =>
  sql(STATES, [refs]);
