import type { Attempt, DeliveryStatus, WebhookKind } from '@tds/contracts';
import { crashPoint } from '@tds/messaging';
import type { Database, Db } from './database.ts';
import { Prisma } from './prisma/client.ts';
import { type EndpointHealth, isNextOfJob, limits, permitsOf, refreshQueues } from './queues.ts';

/** Longer than the deadline of an attempt (10 s) and the time to save its outcome. */
const LEASE_MS = 30_000;
const QUEUES_AT_ONCE = 128;

/** A delivery that this process must attempt now. The attempt already counts. */
export type ClaimedDelivery = {
  readonly id: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly kind: WebhookKind;
  readonly body: string;
  readonly sealedSecret: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly wasFailing: boolean;
  /** How long its queue was due. A delivery that waits for a slow receiver is not due. */
  readonly lagSeconds: number;
};

/** One row for each endpoint that was checked, and for each delivery that was claimed from it. */
type ClaimRow = { readonly accountId: string; readonly endpointId: string | null } & (
  | { readonly id: null }
  | Omit<ClaimedDelivery, 'endpointId'>
);

const CLAIM_CHOSEN = Prisma.sql`
  UPDATE deliveries AS d SET state = 'sending', attempts = attempts + 1,
    due_at = now() + ${LEASE_MS}::int * interval '1 millisecond'
  FROM chosen WHERE d.id = chosen.id
  RETURNING d.id, d.endpoint_id, d.kind, d.body, d.secret_id, d.attempts::int`;

/**
 * Claims round robin: the first delivery of each account before the second of any, and within an account the first of each
 * endpoint before the second of any.
 */
const claimRows = (tx: Db, most: number) => tx.$queryRaw<ClaimRow[]>`
  -- The queues that have waited longest. Queues that another process locks are left to it.
  WITH due_queues AS MATERIALIZED (
    SELECT account_id, due_at FROM queues WHERE due_at <= now() ORDER BY due_at LIMIT ${QUEUES_AT_ONCE}::int
    FOR UPDATE SKIP LOCKED

  -- Attempts that are running now, per endpoint.
  ), running AS (
    SELECT d.account_id, d.endpoint_id, count(*)::int AS n
    FROM due_queues AS q JOIN deliveries AS d ON d.account_id = q.account_id AND d.state = 'sending' GROUP BY 1, 2

  ), due_endpoints AS (
    SELECT e.* FROM due_queues AS q CROSS JOIN LATERAL (
      SELECT * FROM endpoints WHERE account_id = q.account_id AND due_at <= now()
      ORDER BY due_at LIMIT ${limits.perAccount}::int) AS e

  -- Due deliveries of each endpoint, up to its free permits, ...
  ), due_deliveries AS (
    SELECT d.id, e.account_id, e.id AS endpoint_id, e.due_at AS endpoint_due_at,
      row_number() OVER (PARTITION BY e.id ORDER BY d.due_at) AS place
    FROM due_endpoints AS e LEFT JOIN running AS r ON r.endpoint_id = e.id
    CROSS JOIN LATERAL (
      SELECT d.id, d.due_at FROM deliveries AS d
      WHERE d.endpoint_id = e.id AND d.state = 'waiting' AND d.due_at <= now() AND ${isNextOfJob}
      ORDER BY d.due_at
      LIMIT greatest(${permitsOf(Prisma.sql`e.is_failing`)} - coalesce(r.n, 0), 0)) AS d

  -- ... in the order of turns within the account, ...
  ), turns AS (
    SELECT id, account_id,
      row_number() OVER (PARTITION BY account_id ORDER BY place, endpoint_due_at, endpoint_id) AS turn
    FROM due_deliveries

  -- ... up to the free permits of the account and the room of this process.
  ), chosen AS (
    SELECT id FROM turns AS t
    WHERE turn <= ${limits.perAccount}::int - (
      SELECT coalesce(sum(n), 0) FROM running AS r WHERE r.account_id = t.account_id)
    ORDER BY turn LIMIT ${most}::int

  ), claimed AS (${CLAIM_CHOSEN})
  SELECT q.account_id AS "accountId", e.id AS "endpointId", e.url, e.is_failing AS "wasFailing", c.id, c.kind,
    c.body, c.attempts AS attempt, s.sealed AS "sealedSecret",
    extract(epoch FROM now() - q.due_at)::float8 AS "lagSeconds"
  FROM due_queues AS q LEFT JOIN due_endpoints AS e ON e.account_id = q.account_id
  LEFT JOIN claimed AS c ON c.endpoint_id = e.id
  LEFT JOIN secrets AS s ON s.id = c.secret_id`;

const isClaimed = (row: ClaimRow): row is ClaimRow & ClaimedDelivery => row.id !== null;

export const hasDueQueues = async (db: Db): Promise<boolean> =>
  (await db.$queryRaw<unknown[]>`SELECT 1 AS due FROM queues WHERE due_at <= now() LIMIT 1`).length > 0;

export const FIRST_DUE_QUEUE = 'SELECT due_at FROM queues WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1';

/**
 * Claims up to `most` due deliveries for one attempt each. The commit counts the attempts before they are sent, so a death of
 * the process cannot cause a sixth.
 */
export const claimDeliveries = async (db: Database, most: number): Promise<ClaimedDelivery[]> => {
  const claimed = await db.$transaction(async (tx) => {
    const rows = await claimRows(tx, most);
    if (rows.length === 0) return [];
    const accountIds = new Set(rows.map(({ accountId }) => accountId));
    const endpointIds = new Set(rows.flatMap(({ endpointId }) => endpointId ?? []));
    const endpoints = [...endpointIds].map((id): EndpointHealth => ({ id, isFailing: null }));
    await refreshQueues(tx, [...accountIds], endpoints);
    return rows.filter(isClaimed);
  });
  if (claimed.length > 0) crashPoint('attempts-counted');
  return claimed;
};

/** A delivery that this service cannot send for so long fails: its attempts would have ended by then. */
const UNSENT_HOURS = 24;

/** The outcome of one claim. */
export type AttemptOutcome = {
  /** Of the delivery. */
  readonly id: string;
  readonly accountId: string;
  /** If false, the attempt does not count and is not logged. */
  readonly wasSent: boolean;
  readonly attempt: Attempt;
  /** Milliseconds until the next attempt, if this one failed and is not the last. */
  readonly retryMs: number;
};

export type SavedAttempt = {
  readonly id: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly jobId: string | null;
  readonly state: 'waiting' | 'delivered' | 'failed';
  /** Null if the attempt was interrupted, which says nothing about the receiver. */
  readonly hasFailed: boolean | null;
};

const hasEnded = Prisma.sql`(o.error IS NULL OR d.replaced_by IS NOT NULL OR CASE WHEN o."wasSent"
  THEN d.attempts >= ${limits.attempts}::int
  ELSE d.created_at < now() - ${UNSENT_HOURS}::int * interval '1 hour' END)`;

/** Saves outcomes whose claims still hold; ignores the others. Requires the queue locks. */
export const saveAttempts = (tx: Db, outcomes: readonly AttemptOutcome[]) => tx.$queryRaw<SavedAttempt[]>`
  UPDATE deliveries AS d SET
    state = CASE WHEN o.error IS NULL THEN 'delivered' WHEN ${hasEnded} THEN 'failed' ELSE 'waiting' END,
    due_at = CASE WHEN NOT ${hasEnded} THEN now() + o."retryMs" * interval '1 millisecond' END,
    ended_at = CASE WHEN ${hasEnded} THEN now() END,
    secret_id = CASE WHEN NOT ${hasEnded} THEN d.secret_id END,
    attempts = d.attempts - (NOT o."wasSent")::int,
    attempt_log = CASE WHEN o."wasSent" THEN d.attempt_log || o.attempt ELSE d.attempt_log END
  FROM (
    SELECT id, "wasSent", "retryMs", attempt, attempt ->> 'error' AS error, (attempt ->> 'number')::int AS number
    FROM jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb)
      AS outcome (id uuid, "wasSent" boolean, "retryMs" float8, attempt jsonb)) AS o
  WHERE d.id = o.id AND d.state = 'sending' AND d.attempts = o.number
  RETURNING d.id, d.account_id AS "accountId", d.endpoint_id AS "endpointId", d.job_id AS "jobId", d.state,
    CASE WHEN o.error IS DISTINCT FROM 'interrupted' THEN o.error IS NOT NULL END AS "hasFailed"`;

type AbandonedAttempt = Pick<ClaimedDelivery, 'id' | 'accountId' | 'attempt'> & { readonly claimedAt: Date };

export const FIRST_ABANDONED = "SELECT min(due_at) FROM deliveries WHERE state = 'sending'";

/** Attempts whose lease ended without an outcome, the oldest first. */
export const findAbandoned = (db: Db, most: number) => db.$queryRaw<AbandonedAttempt[]>`
  SELECT id, account_id AS "accountId", attempts::int AS attempt,
    due_at - ${LEASE_MS}::int * interval '1 millisecond' AS "claimedAt" FROM deliveries
  WHERE state = 'sending' AND due_at <= now() ORDER BY due_at LIMIT ${most}::int`;

/** Extends the leases of attempts whose outcome cannot be saved, so that they do not block the others. */
export const postponeAbandoned = async (db: Db, ids: readonly string[]): Promise<void> => {
  await db.$executeRaw`
    UPDATE deliveries SET due_at = now() + ${LEASE_MS}::int * interval '1 millisecond'
    WHERE id = ANY(${[...ids]}::uuid[]) AND state = 'sending'`;
};

/** The status of the delivery of each job's newest event. */
export const jobDeliveryStates = (
  tx: Db,
  jobIds: readonly string[],
): Promise<{ jobId: string; accountId: string; status: DeliveryStatus }[]> => tx.$queryRaw`
  SELECT DISTINCT ON (job_id) job_id AS "jobId", account_id AS "accountId",
    CASE WHEN ended_at IS NULL THEN 'pending' ELSE state END AS status
  FROM deliveries WHERE job_id = ANY(${[...jobIds]}::uuid[])
  ORDER BY job_id, job_version DESC, created_at DESC`;
