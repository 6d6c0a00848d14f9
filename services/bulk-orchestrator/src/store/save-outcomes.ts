import { deliveryOf } from '../domain/delivery.ts';
import type { RowChange, Trouble } from '../domain/outcomes.ts';
import type { Database } from './database.ts';
import type { Run } from './rows.ts';

/** A failure is remembered for as long as the row has no better end; what was delivered has none. */
const toColumns = ({ row, status, delivered, error, ...change }: RowChange) => {
  const isAttempt = status !== 'pending' || change.tries > row.tries;
  return {
    ...{ position: row.position, was: row.operationId, status, tries: change.tries },
    operation_id: change.isUnpaid ? row.operationId : null,
    attempts: isAttempt ? 1 : 0,
    is_unpaid: change.isUnpaid,
    due_at: change.dueAt,
    waiting_since: change.waitingSince,
    credits_charged: change.creditsCharged,
    error,
    ...(delivered === null ? {} : deliveryOf(delivered)),
  };
};

/**
 * Saves what became of rows, for the worker that still has the job: of rows that were saved before, nothing changes. Resolves to
 * the job's new version, or null where somebody else has the job by now.
 */
export const saveOutcomes = async (
  db: Database,
  { jobId, runnerId }: Run,
  { changes, trouble }: { readonly changes: readonly RowChange[]; readonly trouble: Trouble },
  now: Date,
): Promise<number | null> => {
  const columns = JSON.stringify(changes.map(toColumns));
  const [saved] = await db.$queryRaw<{ version: number }[]>`
    WITH job AS (
      UPDATE jobs SET version = version + 1, touched_at = ${now},
        trouble_count = ${trouble.count}::int, trouble_since = ${trouble.since}::timestamptz
      WHERE id = ${jobId}::uuid AND runner_id = ${runnerId}::uuid
      RETURNING id, version
    ), saved AS (
      UPDATE job_rows SET status = c.status, operation_id = c.operation_id, attempts = job_rows.attempts + c.attempts,
        tries = c.tries, due_at = c.due_at, waiting_since = c.waiting_since, credits_charged = c.credits_charged,
        error = c.error, is_cold = is_cold OR c.is_unpaid,
        round = CASE WHEN c.is_unpaid THEN NULL ELSE round END, part = CASE WHEN c.is_unpaid THEN NULL ELSE part END,
        title = coalesce(c.title, job_rows.title), published_at = coalesce(c.published_at, job_rows.published_at),
        delivered_language = c.delivered_language, is_fallback = c.is_fallback, translation = c.translation,
        caption_kind = c.caption_kind, strategy = c.strategy, transcript_id = c.transcript_id,
        object_key = c.object_key, bytes = c.bytes, sha256 = c.sha256
      FROM job, jsonb_to_recordset(${columns}::jsonb) AS c (
        position int, was uuid, status text, operation_id uuid, attempts int, tries int, due_at timestamptz,
        waiting_since timestamptz, credits_charged int, error jsonb, is_unpaid boolean, title text, published_at text,
        delivered_language text, is_fallback boolean, translation text, caption_kind text, strategy text,
        transcript_id uuid, object_key text, bytes int, sha256 text
      )
      WHERE job_rows.job_id = job.id AND job_rows.position = c.position AND job_rows.operation_id = c.was
        AND job_rows.status = 'processing'
    )
    SELECT version FROM job`;
  return saved?.version ?? null;
};
