import type { Sql, SqlExecutor } from '@tds/base';
import type { Attempt, DeliveryStatus, ReceiverForm, WebhookKind } from '@tds/contracts';
import { crashPoint } from '@tds/messaging';
import type { Db } from './database.ts';

/** Longer than the deadline of an attempt (10 s) and the time to save its outcome. `take_turn` has it, too. */
const LEASE_MS = 30_000;

/*
 * waiting    until it is due, in its turn; those of one job leave in order
 * sending    a process has it for 30 seconds and counts the attempt before it sends (`take_turn`). Not heard of, it waits again
 * delivered  the receiver took it; final
 * failed     after five attempts, a day in which nothing could be sent, or the end of its key or receiver; replaced by one that is sent
 *            again
 */

/** A delivery that this process must attempt now. The attempt already counts. */
export type ClaimedDelivery = {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly kind: WebhookKind;
  readonly body: string;
  readonly sealedSecret: string;
  /** The key that gave the URL; null for the webhook of the account. */
  readonly keyId: string | null;
  /** 1 for the first. */
  readonly attempt: number;
  /** How long its queue was due. A delivery that waits for a slow receiver is not due. */
  readonly lagSeconds: number;
  /** Whether the outcome may emit an event: it may end a delivery of a job, or disable the webhook or the receiver. */
  readonly mayEmit: boolean;
  /** The receiver that it goes to; null for the webhook and for the URL of a job or a monitor. */
  readonly receiverId: string | null;
  readonly secretId: string;
  /** If it is not `signed`, the secret is the address, and `url` is what is shown of it. */
  readonly form: ReceiverForm;
};

/** The outcome of one claim. */
export type AttemptOutcome = Pick<ClaimedDelivery, 'id' | 'accountId'> & {
  /** If false, the attempt does not count and is not logged. */
  readonly wasSent: boolean;
  readonly attempt: Attempt;
  /** Milliseconds until the next attempt, if this one failed and is not the last. */
  readonly retryMs: number;
  /** Milliseconds for which nothing is sent to this endpoint; then this one comes first. */
  readonly restMs?: number;
  /** The service of the receiver says that this address has ended for good. */
  readonly isGone?: boolean;
} & Partial<Pick<ClaimedDelivery, 'receiverId' | 'secretId'>>;

const TURN = 'SELECT * FROM take_turn($1::jsonb, $2::int)';

/** Saves outcomes whose claims still hold, and claims up to `limit` due deliveries for one attempt each, in one commit. */
export const takeTurn = async (
  sql: Sql,
  outcomes: readonly AttemptOutcome[],
  limit: number,
): Promise<ClaimedDelivery[]> => {
  const deliveries = await sql<ClaimedDelivery>(TURN, [JSON.stringify(outcomes), limit]);
  if (deliveries.length > 0) crashPoint('attempts-counted');
  return deliveries;
};

/** Saves outcomes in a transaction, and claims nothing. */
export const saveAttempts = (tx: Pick<SqlExecutor, '$executeRawUnsafe'>, outcomes: readonly AttemptOutcome[]) =>
  tx.$executeRawUnsafe(TURN, JSON.stringify(outcomes), 0);

export const FIRST_DUE_QUEUE = 'SELECT due_at FROM queues WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1';

type AbandonedAttempt = Pick<ClaimedDelivery, 'id' | 'accountId' | 'attempt'> & { readonly claimedAt: Date };

export const FIRST_ABANDONED = "SELECT min(due_at) FROM deliveries WHERE state = 'sending'";

/** Attempts whose lease ended without an outcome, the oldest first. */
export const findAbandoned = (db: Db, limit: number) => db.$queryRaw<AbandonedAttempt[]>`
  SELECT id, account_id AS "accountId", attempts::int AS attempt,
    due_at - ${LEASE_MS}::int * interval '1 millisecond' AS "claimedAt" FROM deliveries
  WHERE state = 'sending' AND due_at <= now() ORDER BY due_at LIMIT ${limit}::int`;

/** Extends the leases of attempts whose outcome cannot be saved, so that they do not block the others. */
export const postponeAbandoned = (db: Db, ids: readonly string[]) =>
  db.$executeRaw`
    UPDATE deliveries SET due_at = now() + ${LEASE_MS}::int * interval '1 millisecond'
    WHERE id = ANY(${[...ids]}::uuid[]) AND state = 'sending'`;

/** The status of the delivery, to its webhook or URL, of the newest event of each job that these deliveries have ended for. */
export const findJobDeliveryStates = (
  tx: Db,
  deliveryIds: readonly string[],
): Promise<{ jobId: string; accountId: string; status: DeliveryStatus }[]> => tx.$queryRaw`
  SELECT DISTINCT ON (job_id) job_id AS "jobId", account_id AS "accountId",
    CASE WHEN ended_at IS NULL THEN 'pending' ELSE state END AS status
  FROM deliveries WHERE receiver_id IS NULL AND job_id IN (
    SELECT job_id FROM deliveries WHERE id = ANY(${[...deliveryIds]}::uuid[]) AND ended_at IS NOT NULL AND receiver_id IS NULL)
  ORDER BY job_id, job_version DESC, created_at DESC`;
