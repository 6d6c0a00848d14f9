import { MOST_ATTEMPTS } from '@tds/contracts';
import type { Backlog } from '@tds/service-kit';
import type { Database, Db } from './database.ts';
import { Prisma } from './prisma/client.ts';

/** What is sent at once over all instances: to one endpoint, to one whose last attempt has failed, and for one account. */
export const limits = {
  perEndpoint: 16,
  perFailingEndpoint: 1,
  perAccount: 64,
  attempts: MOST_ATTEMPTS,
} as const;

/** Changes of one account's deliveries and webhook queue here, until the transaction ends. */
export const lockQueue = async (tx: Db, accountId: string): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO queues (account_id) VALUES (${accountId}::uuid)
    ON CONFLICT (account_id) DO UPDATE SET account_id = excluded.account_id`;
};

/** Those of several accounts, in an order that all have in common. */
export const lockQueues = async (tx: Db, accountIds: readonly string[]): Promise<void> => {
  await tx.$executeRaw`
    SELECT FROM queues WHERE account_id = ANY(${[...accountIds]}::uuid[]) ORDER BY account_id FOR UPDATE`;
};

/** Test events and resends of one account on one day: each is a row that nobody pays for. */
const MOST_ASKED_A_DAY = 200;

/** Counts a test event or a resend; false if the account has asked for as many as it may today. The queue is held. */
export const countAsked = async (tx: Db, accountId: string): Promise<boolean> => {
  const counted = await tx.$executeRaw`
    UPDATE queues SET asked = CASE WHEN asked_on = today THEN asked + 1 ELSE 1 END, asked_on = today
    FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) AS day
    WHERE account_id = ${accountId}::uuid AND (asked_on IS DISTINCT FROM today OR asked < ${MOST_ASKED_A_DAY}::int)`;
  return counted > 0;
};

/** When something changed: the database's microseconds, which go on where a copy is put back. With the queue held they grow. */
export const changeVersion = async (tx: Db): Promise<number> => {
  const [row] = await tx.$queryRaw<{ version: number }[]>`
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1e6)::float8 AS version`;
  return row?.version ?? 0;
};

/** How many of this endpoint may be sent at once. */
export const permitsOf = (isFailing: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`CASE WHEN ${isFailing} THEN ${limits.perFailingEndpoint}::int ELSE ${limits.perEndpoint}::int END`;

/** Of one job an older event comes first, where it is being sent or may leave as well. */
export const isNext = Prisma.sql`NOT EXISTS (
  SELECT FROM deliveries AS o
  WHERE o.job_id = d.job_id AND o.ended_at IS NULL AND o.job_version < d.job_version
    AND o.endpoint_id = d.endpoint_id AND (o.state = 'sending' OR o.due_at <= now()))`;

/** What has become of an endpoint; null where nothing is known. */
export type LookedAt = { readonly id: string; readonly isFailing: boolean | null };

const refreshEndpoints = (tx: Db, endpoints: readonly LookedAt[]) => tx.$executeRaw`
  UPDATE endpoints AS e SET is_failing = coalesce(g."isFailing", e.is_failing), due_at = CASE
    WHEN ${permitsOf(Prisma.sql`coalesce(g."isFailing", e.is_failing)`)} <= (
      SELECT count(*) FROM deliveries AS d
      WHERE d.account_id = e.account_id AND d.state = 'sending' AND d.endpoint_id = e.id) THEN NULL
    ELSE (
      SELECT greatest(d.due_at, now()) FROM deliveries AS d
      WHERE d.endpoint_id = e.id AND d.state = 'waiting' AND ${isNext} ORDER BY d.due_at LIMIT 1)
    END
  FROM jsonb_to_recordset(${JSON.stringify(endpoints)}::jsonb) AS g (id uuid, "isFailing" boolean)
  WHERE e.id = g.id`;

/**
 * Says anew when these endpoints and queues are to be looked at: who still has something goes behind all who are due already.
 * The queues are held.
 */
export const refreshQueues = async (
  tx: Db,
  accountIds: readonly string[],
  endpoints: readonly LookedAt[],
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

/** Queues in which something could leave and nobody has looked. */
export const overdueQueues = async (db: Database): Promise<Backlog> => {
  const [found] = await db.$queryRaw<Required<Backlog>[]>`
    SELECT count(*)::int AS count,
      coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS "oldestSeconds"
    FROM queues WHERE due_at <= now()`;
  return found ?? { count: 0 };
};
