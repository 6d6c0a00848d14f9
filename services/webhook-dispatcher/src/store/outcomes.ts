import type { AttemptError, DeliveryStatus } from '@tds/contracts';
import { LEASE_MS } from './claims.ts';
import type { Db } from './database.ts';
import { Prisma } from './prisma/client.ts';
import { limits } from './queues.ts';

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
