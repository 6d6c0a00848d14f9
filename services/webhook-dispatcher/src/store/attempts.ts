import type { AttemptError, DeliveryStatus, WebhookKind } from '@tds/contracts';
import { crashPoint } from '@tds/service-kit';
import type { Database, Db } from './database.ts';
import { Prisma } from './prisma/client.ts';
import { isNext, type LookedAt, limits, permitsOf, refreshQueues } from './queues.ts';

/** An attempt has its deadline of 10 s and its result is saved well within this. */
const LEASE_MS = 30_000;
const QUEUES_AT_ONCE = 128;

/** One attempt that has to be made now: it counts already. */
export type Claimed = {
  readonly id: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly kind: WebhookKind;
  readonly body: string;
  readonly sealedSecret: string;
  readonly attempt: number;
  readonly wasFailing: boolean;
  /** For how long its queue had something that could leave: what a receiver holds up is not in it. */
  readonly lagSeconds: number;
};

type Row = { readonly accountId: string; readonly endpointId: string | null } & (
  | { readonly id: null }
  | Omit<Claimed, 'endpointId'>
);

/** Turns go round accounts, then endpoints: the first of each before the second of any. Attempts are counted here. */
const claimRows = (tx: Db, most: number) => tx.$queryRaw<Row[]>`
  WITH due AS MATERIALIZED (
    SELECT account_id, due_at FROM queues WHERE due_at <= now() ORDER BY due_at LIMIT ${QUEUES_AT_ONCE}::int
    FOR UPDATE SKIP LOCKED
  ), busy AS (
    SELECT d.account_id, d.endpoint_id, count(*)::int AS n
    FROM due JOIN deliveries AS d ON d.account_id = due.account_id AND d.state = 'sending' GROUP BY 1, 2
  ), looked AS (
    SELECT e.* FROM due CROSS JOIN LATERAL (
      SELECT * FROM endpoints WHERE account_id = due.account_id AND due_at <= now()
      ORDER BY due_at LIMIT ${limits.perAccount}::int) AS e
  ), candidates AS (
    SELECT l.account_id, d.id, row_number() OVER (PARTITION BY l.account_id ORDER BY d.place, l.due_at, l.id) AS turn
    FROM looked AS l LEFT JOIN busy ON busy.endpoint_id = l.id
    CROSS JOIN LATERAL (
      SELECT found.id, row_number() OVER (ORDER BY found.due_at) AS place FROM (
        SELECT d.id, d.due_at FROM deliveries AS d
        WHERE d.endpoint_id = l.id AND d.state = 'waiting' AND d.due_at <= now() AND ${isNext}
        ORDER BY d.due_at
        LIMIT greatest(${permitsOf(Prisma.sql`l.is_failing`)} - coalesce(busy.n, 0), 0)
      ) AS found) AS d
  ), chosen AS (
    SELECT c.id FROM candidates AS c
    WHERE c.turn <= ${limits.perAccount}::int - (
      SELECT coalesce(sum(n), 0) FROM busy WHERE busy.account_id = c.account_id)
    ORDER BY c.turn LIMIT ${most}::int
  ), taken AS (
    UPDATE deliveries AS d SET state = 'sending', attempts = attempts + 1,
      due_at = now() + ${LEASE_MS}::int * interval '1 millisecond'
    FROM chosen WHERE d.id = chosen.id
    RETURNING d.id, d.endpoint_id, d.kind, d.body, d.secret_id, d.attempts::int
  )
  SELECT due.account_id AS "accountId", l.id AS "endpointId", l.url, l.is_failing AS "wasFailing", t.id, t.kind,
    t.body, t.attempts AS attempt, s.sealed AS "sealedSecret",
    extract(epoch FROM now() - due.due_at)::float8 AS "lagSeconds"
  FROM due LEFT JOIN looked AS l ON l.account_id = due.account_id
  LEFT JOIN taken AS t ON t.endpoint_id = l.id
  LEFT JOIN secrets AS s ON s.id = t.secret_id`;

const isTaken = (row: Row): row is Row & Claimed => row.id !== null;

/** Whether some queue is due. */
export const hasDueQueues = async (db: Db): Promise<boolean> =>
  (await db.$queryRaw<unknown[]>`SELECT 1 AS due FROM queues WHERE due_at <= now() LIMIT 1`).length > 0;

/** When the first queue is due. */
export const FIRST_DUE = 'SELECT due_at FROM queues WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1';

/**
 * Takes up to `most` deliveries that are due, for one attempt each. The attempt is counted by the commit, before anything is
 * sent, so that no death of a process makes a sixth one.
 */
export const claimDeliveries = async (db: Database, most: number): Promise<Claimed[]> => {
  const claimed = await db.$transaction(async (tx) => {
    const rows = await claimRows(tx, most);
    if (rows.length === 0) return [];
    const accountIds = new Set(rows.map(({ accountId }) => accountId));
    const endpointIds = new Set(rows.flatMap(({ endpointId }) => endpointId ?? []));
    const looked = [...endpointIds].map((id): LookedAt => ({ id, isFailing: null }));
    await refreshQueues(tx, [...accountIds], looked);
    return rows.filter(isTaken);
  });
  if (claimed.length > 0) crashPoint('attempts-counted');
  return claimed;
};

/** A delivery that we could not even send for so long has failed: its attempts would have ended by then. */
const UNSENT_HOURS = 24;

/** What has become of one attempt. */
export type Outcome = {
  readonly id: string;
  readonly accountId: string;
  readonly attempt: number;
  /** False if nothing has left: it is no attempt. */
  readonly wasSent: boolean;
  readonly at: Date;
  readonly status: number | null;
  readonly milliseconds: number | null;
  readonly error: AttemptError | null;
  readonly answer: string | null;
  /** Until the next attempt, if this one has failed and another one is left. */
  readonly retryMs: number;
};

export type Saved = {
  readonly id: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly jobId: string | null;
  readonly state: 'waiting' | 'delivered' | 'failed';
  /** Null if it says nothing of the receiver. */
  readonly hasFailed: boolean | null;
};

const hasEnded = Prisma.sql`(g.error IS NULL OR d.replaced_by IS NOT NULL OR CASE WHEN g."wasSent"
  THEN d.attempts >= ${limits.attempts}::int
  ELSE d.created_at < now() - ${UNSENT_HOURS}::int * interval '1 hour' END)`;

const toGiven = ({
  id,
  attempt: number,
  wasSent,
  at,
  status,
  milliseconds,
  error,
  answer,
  retryMs,
}: Outcome) => ({
  id,
  number,
  wasSent,
  error,
  retryMs,
  entry: { number, at, status, milliseconds, error, answer },
});

/** Saves attempts that are still this claim's; whoever comes late changes nothing. The queues are held. */
export const saveAttempts = (tx: Db, outcomes: readonly Outcome[]): Promise<Saved[]> => tx.$queryRaw<Saved[]>`
  UPDATE deliveries AS d SET
    state = CASE WHEN g.error IS NULL THEN 'delivered' WHEN ${hasEnded} THEN 'failed' ELSE 'waiting' END,
    due_at = CASE WHEN NOT ${hasEnded} THEN now() + g."retryMs" * interval '1 millisecond' END,
    ended_at = CASE WHEN ${hasEnded} THEN now() END,
    secret_id = CASE WHEN NOT ${hasEnded} THEN d.secret_id END,
    attempts = d.attempts - (NOT g."wasSent")::int,
    attempt_log = CASE WHEN g."wasSent" THEN d.attempt_log || g.entry ELSE d.attempt_log END
  FROM jsonb_to_recordset(${JSON.stringify(outcomes.map(toGiven))}::jsonb)
    AS g (id uuid, number int, "wasSent" boolean, error text, "retryMs" float8, entry jsonb)
  WHERE d.id = g.id AND d.state = 'sending' AND d.attempts = g.number
  RETURNING d.id, d.account_id AS "accountId", d.endpoint_id AS "endpointId", d.job_id AS "jobId", d.state,
    CASE WHEN g.error IS DISTINCT FROM 'interrupted' THEN g.error IS NOT NULL END AS "hasFailed"`;

type Abandoned = Pick<Outcome, 'id' | 'accountId' | 'attempt'> & { readonly claimedAt: Date };

/** When the first attempt is taken for lost. */
export const FIRST_ABANDONED = "SELECT min(due_at) FROM deliveries WHERE state = 'sending'";

/** Attempts whose process has not said in time what became of them. */
export const abandonedAttempts = (db: Db, most: number): Promise<Abandoned[]> => db.$queryRaw<Abandoned[]>`
  SELECT id, account_id AS "accountId", attempts::int AS attempt,
    due_at - ${LEASE_MS}::int * interval '1 millisecond' AS "claimedAt" FROM deliveries
  WHERE state = 'sending' AND due_at <= now() ORDER BY due_at LIMIT ${most}::int`;

/** Those whose end cannot be saved are looked at later, behind the others. */
export const postponeAbandoned = async (db: Db, ids: readonly string[]): Promise<void> => {
  await db.$executeRaw`
    UPDATE deliveries SET due_at = now() + ${LEASE_MS}::int * interval '1 millisecond'
    WHERE id = ANY(${[...ids]}::uuid[]) AND state = 'sending'`;
};

/** Of each job, how far the delivery of its newest event is. */
export const jobDeliveryStates = (
  tx: Db,
  jobIds: readonly string[],
): Promise<{ jobId: string; accountId: string; status: DeliveryStatus }[]> => tx.$queryRaw`
  SELECT DISTINCT ON (job_id) job_id AS "jobId", account_id AS "accountId",
    CASE WHEN ended_at IS NULL THEN 'pending' ELSE state END AS status
  FROM deliveries WHERE job_id = ANY(${[...jobIds]}::uuid[])
  ORDER BY job_id, job_version DESC, created_at DESC`;
