import {
  askAll,
  type BookCheck,
  type Breach,
  checkPagesById,
  type Evidence,
  type Question,
} from './evidence.ts';

/** What the record of a job adds up to. */
type Job = {
  readonly id: string;
  readonly charged: number;
  readonly at_fetcher: number;
  readonly batch_version: string;
};
/** What the fetcher has of its batch. */
type Batch = {
  readonly id: string;
  readonly version: string;
  readonly open: number;
  readonly uncollected: number;
  /** Paid before the fetcher forgot it, and opened again for nothing. */
  readonly paid_before: number;
  /** Charged, and void because the job does not exist. */
  readonly is_waived: boolean;
};
type Paid = { readonly id: string; readonly charged: number };

const PAGE = 1_000;

/** The fetcher keeps rows for eight days. */
const JOBS = `
  SELECT j.id, j.batch_version::text, coalesce(sum(r.credits_charged), 0)::int AS charged, count(r.operation_id)::int AS at_fetcher
  FROM jobs AS j LEFT JOIN job_rows AS r ON r.job_id = j.id
  WHERE j.id > $1 AND j.created_at > now() - interval '6 days' AND j.erased_at IS NULL AND j.opening_id IS NULL
  GROUP BY j.id ORDER BY j.id LIMIT ${PAGE}`;
const BATCHES = `
  SELECT v.batch_id AS id, v.version::text, count(o.id) FILTER (WHERE o.ended_at IS NULL)::int AS open,
    count(o.id) FILTER (WHERE o.uncollected)::int AS uncollected,
    count(o.id) FILTER (WHERE o.price = 0)::int AS paid_before, bool_or(o.waived_at IS NOT NULL) AS is_waived
  FROM batch_versions AS v LEFT JOIN operations AS o ON o.batch_id = v.batch_id AND o.priority = 'jobs'
  WHERE v.batch_id = ANY ($1::uuid[]) GROUP BY v.batch_id, v.version`;
const PAID = `
  SELECT job_id AS id, sum(bit_count(charged) - bit_count(refunded))::int AS charged FROM reservations
  WHERE job_id = ANY ($1::uuid[]) GROUP BY job_id`;
const MISPRICED_ROWS = `
  SELECT job_id || ' ' || position AS id, status || ' for ' || credits_charged AS found FROM job_rows
  WHERE credits_charged > CASE status WHEN 'fetched' THEN 1 ELSE 0 END OR credits_charged < 0 LIMIT 50`;
const UNANSWERED = `
  SELECT id, status AS found FROM jobs
  WHERE CASE status WHEN 'creating' THEN $1 OR created_at < now() - interval '1 minute'
    ELSE idempotency_key IS NOT NULL AND answer IS NULL END
  LIMIT 50`;
/** What goes on has rows at the fetcher that were heard of, or a moment that has not been missed; what has ended has nothing to do. */
const UNFINISHED = `
  SELECT j.id, j.status || ', ' || count(r.*) || ' rows to do, ' || count(r.operation_id) || ' at the fetcher, due ' ||
    coalesce(j.due_at::text, 'never') AS found
  FROM jobs AS j LEFT JOIN job_rows AS r ON r.job_id = j.id AND r.status IN ('pending', 'processing')
  GROUP BY j.id HAVING CASE
    WHEN j.status IN ('completed', 'failed') THEN count(r.*) > 0
    WHEN j.status = 'cancelled' THEN count(r.*) > count(r.operation_id) OR $1 AND count(r.*) > 0
    WHEN $1 AND j.status <> 'paused' THEN true
    ELSE coalesce(greatest(j.due_at, j.lease_until) > now() - interval '1 minute', count(r.operation_id) > 0) IS NOT TRUE END
    OR count(r.operation_id) > 0 AND j.opening_id IS NULL AND coalesce(j.heard_at < now() - interval '1 minute', true)
  LIMIT 50`;

const compare = (job: Job, batch: Batch | undefined, paid: number): Breach[] => {
  const { id, charged, at_fetcher: atFetcher, batch_version: version } = job;
  const subject = `job ${id}`;
  const findings: Breach[] = [];
  const min = charged - (batch?.uncollected ?? 0);
  const max = charged + atFetcher + (batch?.paid_before ?? 0);
  if (paid < min || paid > max) {
    const what = 'items that the ledger has charged for its fetched rows';
    findings.push({ subject, what, expected: String(min), found: String(paid) });
  }
  // What has changes is not saved yet.
  if (batch?.version === version && batch.open !== atFetcher) {
    const what = 'open rows of the fetcher that its record says to be reserved';
    findings.push({ subject, what, expected: String(batch.open), found: String(atFetcher) });
  }
  if (batch?.is_waived) {
    const what = 'a job that its batch was waived by';
    findings.push({ subject, what, expected: 'none', found: 'one' });
  }
  return findings;
};

/** The record is read first, and the ledger last: it is ahead of the rows, and those of their record. */
const checkJobs = (evidence: Evidence): Promise<Breach[]> =>
  checkPagesById<Job>(evidence, { service: 'bulk-orchestrator', sql: JOBS, pageSize: PAGE }, async (page) => {
    const ids = page.map(({ id }) => id);
    const batches = await evidence.rows<Batch>('transcript-fetcher', BATCHES, [ids]);
    const paid = await evidence.rows<Paid>('credits-ledger', PAID, [ids]);
    const batchOf = new Map(batches.map((batch) => [batch.id, batch]));
    const paidOf = new Map(paid.map(({ id, charged }) => [id, charged]));
    return page.flatMap((job) => compare(job, batchOf.get(job.id), paidOf.get(job.id) ?? 0));
  });

const service = 'bulk-orchestrator';
const questions = (atRest: boolean): Question[] => [
  {
    ...{ service, sql: MISPRICED_ROWS, subject: 'row' },
    ...{ what: 'credits of a row of a job', expected: 'at most 1 if fetched, else none' },
  },
  {
    ...{ service, sql: UNANSWERED, values: [atRest], subject: 'job' },
    ...{ what: 'the answer of a job that was created', expected: 'one, and no creation of long ago' },
  },
  {
    ...{ service, sql: UNFINISHED, values: [atRest], subject: 'job' },
    ...{ what: 'a job that goes on, or has ended', expected: 'a next step, or no row to do' },
  },
];

export const jobsCheck: BookCheck = {
  invariant: 'I2',
  promise: 'the record of a job agrees with its rows and with the ledger, and every job gets on or has ended',
  check: async (evidence) => [
    ...(await checkJobs(evidence)),
    ...(await askAll(evidence, questions(evidence.atRest))),
  ],
};
