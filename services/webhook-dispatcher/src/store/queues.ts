import { MOST_ATTEMPTS } from '@tds/contracts';
import type { Backlog } from '@tds/kit';
import type { Database, Db } from './database.ts';
import { Prisma } from './prisma/client.ts';

/** Concurrent attempts over all processes: per endpoint, per endpoint whose last attempt failed, per account. */
export const limits = {
  perEndpoint: 16,
  perFailingEndpoint: 1,
  perAccount: 64,
  attempts: MOST_ATTEMPTS,
} as const;

/** Locks the queue of an account until the transaction ends, and creates it if needed. Every change of its deliveries and webhook takes this lock. */
export const lockQueue = async (tx: Db, accountId: string): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO queues (account_id) VALUES (${accountId}::uuid)
    ON CONFLICT (account_id) DO UPDATE SET account_id = excluded.account_id`;
};

/** Locks existing queues in one order, so that two transactions cannot deadlock. */
export const lockQueues = async (tx: Db, accountIds: readonly string[]): Promise<void> => {
  await tx.$executeRaw`
    SELECT FROM queues WHERE account_id = ANY(${[...accountIds]}::uuid[]) ORDER BY account_id FOR UPDATE`;
};

/** Test events and resends per account and UTC day. They are free, and each is a row. */
const MOST_REQUESTED_A_DAY = 200;

/** Counts a test event or a resend; false if the account has reached its daily limit. Requires the queue lock. */
export const countRequestedDelivery = async (tx: Db, accountId: string): Promise<boolean> => {
  const counted = await tx.$executeRaw`
    UPDATE queues SET asked = CASE WHEN asked_on = today THEN asked + 1 ELSE 1 END, asked_on = today
    FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) AS day
    WHERE account_id = ${accountId}::uuid
      AND (asked_on IS DISTINCT FROM today OR asked < ${MOST_REQUESTED_A_DAY}::int)`;
  return counted > 0;
};

/** Version for events: database time in microseconds. It grows under the queue lock, also after a restore. */
export const changeVersion = async (tx: Db): Promise<number> => {
  const [row] = await tx.$queryRaw<{ version: number }[]>`
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1e6)::float8 AS version`;
  return row?.version ?? 0;
};

/** SQL for the most concurrent attempts of an endpoint. */
export const permitsOf = (isFailing: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`CASE WHEN ${isFailing} THEN ${limits.perFailingEndpoint}::int ELSE ${limits.perEndpoint}::int END`;

/** SQL: no older event of the same job is being sent or due at the endpoint of delivery `d`. */
export const isNextOfJob = Prisma.sql`NOT EXISTS (
  SELECT FROM deliveries AS o
  WHERE o.job_id = d.job_id AND o.ended_at IS NULL AND o.job_version < d.job_version
    AND o.endpoint_id = d.endpoint_id AND (o.state = 'sending' OR o.due_at <= now()))`;

/** `isFailing` is null if unknown: the endpoint stays as it is. */
export type EndpointHealth = { readonly id: string; readonly isFailing: boolean | null };

const refreshEndpoints = (tx: Db, endpoints: readonly EndpointHealth[]) => tx.$executeRaw`
  UPDATE endpoints AS e SET is_failing = coalesce(h."isFailing", e.is_failing), due_at = CASE
    WHEN ${permitsOf(Prisma.sql`coalesce(h."isFailing", e.is_failing)`)} <= (
      SELECT count(*) FROM deliveries AS d
      WHERE d.account_id = e.account_id AND d.state = 'sending' AND d.endpoint_id = e.id) THEN NULL
    ELSE (
      SELECT greatest(d.due_at, now()) FROM deliveries AS d
      WHERE d.endpoint_id = e.id AND d.state = 'waiting' AND ${isNextOfJob} ORDER BY d.due_at LIMIT 1)
    END
  FROM jsonb_to_recordset(${JSON.stringify(endpoints)}::jsonb) AS h (id uuid, "isFailing" boolean)
  WHERE e.id = h.id`;

/**
 * Recalculates when these endpoints and queues are due. One that still has due deliveries goes behind all that are due already.
 * Requires the queue locks.
 */
export const refreshQueues = async (
  tx: Db,
  accountIds: readonly string[],
  endpoints: readonly EndpointHealth[],
): Promise<void> => {
  if (endpoints.length > 0) await refreshEndpoints(tx, endpoints);
  await tx.$executeRaw`
    UPDATE queues AS q SET due_at = CASE
      WHEN ${limits.perAccount}::int <= (
        SELECT count(*) FROM deliveries AS d WHERE d.account_id = q.account_id AND d.state = 'sending') THEN NULL
      ELSE (
        SELECT greatest(e.due_at, now()) FROM endpoints AS e
        WHERE e.account_id = q.account_id AND e.due_at IS NOT NULL ORDER BY e.due_at LIMIT 1)
      END
    WHERE account_id = ANY(${[...accountIds]}::uuid[])`;
};

/** Queues that are due and not claimed. */
export const overdueQueues = async (db: Database): Promise<Backlog> => {
  const [found] = await db.$queryRaw<Required<Backlog>[]>`
    SELECT count(*)::int AS count,
      coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS "oldestSeconds"
    FROM queues WHERE due_at <= now()`;
  return found ?? { count: 0 };
};
