import { pick } from '@tds/base';
import {
  type DeliveredRow,
  JOB_ROWS_A_PAGE,
  type Job as JobBody,
  type JobRow,
  type JobRowStatus,
  type JobSummary,
  type ManifestRow,
  undeliveredRow,
} from '@tds/contracts';
import { endsByItself, hasEnded } from '../domain/job-state.ts';
import { mayBeRetried, type RowError } from '../domain/outcomes.ts';
import type { Database, Db } from './database.ts';
import { findJobNumbers, findNumbers, type Job, type JobNumbers, toJob } from './jobs.ts';

type JobRowRecord = NonNullable<Awaited<ReturnType<Database['jobRow']['findFirst']>>>;
type Filter = {
  readonly accountId: string;
  readonly status?: string | undefined;
  readonly monitorId?: string | undefined;
  readonly name?: string | undefined;
};
type Page = { readonly limit: number; readonly offset: number };

const toIsoTime = (at: Date | null): string | null => at?.toISOString() ?? null;

/**
 * Why a job is paused, and when it resumes by itself. Without a reason of its own it waits for broadcasts. A limit that passes by itself is
 * shown as soon as it holds rows back, although others are still at work.
 */
export const toPauseFields = (
  { status, pauseReason, lookAt }: Job,
  { nextAttemptAt }: Pick<JobNumbers, 'nextAttemptAt'>,
): Pick<JobSummary, 'pause_reason' | 'resumes_at'> => {
  const isBrief = pauseReason !== null && endsByItself(pauseReason);
  if (hasEnded(status) || (status !== 'paused' && !isBrief)) return { pause_reason: null, resumes_at: null };
  if (pauseReason === null)
    return { pause_reason: 'waiting_for_broadcast', resumes_at: toIsoTime(nextAttemptAt) };
  return { pause_reason: pauseReason, resumes_at: isBrief ? toIsoTime(lookAt) : null };
};

export const toSummary = (job: Job, numbers: JobNumbers): JobSummary => ({
  ...pick(job, 'id', 'status'),
  ...toPauseFields(job, numbers),
  ...pick(job, 'name', 'metadata', 'error'),
  source: { kind: job.sourceKind, input: job.sourceInput, contents: job.contents },
  ...pick(job, 'omitted', 'format', 'language', 'fallback'),
  ...pick(numbers, 'counts', 'credits'),
  webhook: { url: job.webhookUrl, status: job.webhookStatus },
  receivers: job.receivers,
  monitor_id: job.monitorId,
  person_id: job.personId,
  notify_email: job.notifyEmail,
  mail: job.notifyEmail ? 'now' : job.dailyMail ? 'daily' : 'none',
  created_at: job.createdAt.toISOString(),
  started_at: toIsoTime(job.startedAt),
  finished_at: toIsoTime(job.finishedAt),
});

/** The error of a failed row, or of one that waits for a retry; null if it was begun again. */
const failureOf = ({ status, waitingFor, error }: JobRowRecord) => {
  const hasFailed = status === 'error';
  const failure = hasFailed || waitingFor !== null ? (error as RowError | null) : null;
  return {
    error_class: failure?.errorClass ?? null,
    error_code: failure?.code ?? null,
    message: failure?.message ?? null,
    retryable: hasFailed && failure ? mayBeRetried(failure) : null,
  };
};

/** Deliveries of earlier releases lack later fields. */
const deliveryOf = ({ delivery }: JobRowRecord) => ({
  ...undeliveredRow,
  ...(delivery as DeliveredRow | null),
});

const toRow = ({ language }: Job, row: JobRowRecord): JobRow => {
  const { title, delivered_language, fallback, translation } = deliveryOf(row);
  return {
    position: row.position,
    video_id: row.videoId,
    title: title ?? row.title,
    status: row.status as JobRowStatus,
    requested_language: language,
    delivered_language,
    language: delivered_language,
    fallback,
    translation,
    attempts: row.attempts,
    credits_charged: row.creditsCharged,
    ...failureOf(row),
    waiting_for: row.waitingFor as JobRow['waiting_for'],
    next_attempt_at: toIsoTime(row.nextAttemptAt),
  };
};

const toManifestRow = (job: Job, row: JobRowRecord): ManifestRow => {
  const delivery = deliveryOf(row);
  return { ...delivery, ...toRow(job, row), published_at: delivery.published_at ?? row.publishedAt };
};

/** The public job with its first rows. */
export const toBody = async (db: Db, job: Job, numbers: JobNumbers): Promise<JobBody> => {
  const rows = await db.jobRow.findMany({
    where: { jobId: job.id },
    orderBy: { position: 'asc' },
    take: JOB_ROWS_A_PAGE,
  });
  return { ...toSummary(job, numbers), videos: rows.map((row) => toRow(job, row)) };
};

export const readSummary = async (db: Db, job: Job): Promise<JobSummary> =>
  toSummary(job, await findJobNumbers(db, job.id));

export const readBody = async (db: Db, job: Job): Promise<JobBody> =>
  toBody(db, job, await findJobNumbers(db, job.id));

export const findJobPage = async (
  db: Database,
  { accountId, name = '', ...filter }: Filter,
  { limit, offset }: Page,
): Promise<{ jobs: JobSummary[]; total: number }> => {
  const criteria = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
  // Prisma escapes no sign of a pattern.
  const text = { contains: name.replaceAll(/[%_\\]/g, '\\$&'), mode: 'insensitive' as const };
  const nameFilter = name === '' ? {} : { OR: [{ name: text }, { sourceInput: text }] };
  const where = { accountId, ...criteria, ...nameFilter, erasedAt: null };
  const total = await db.job.count({ where });
  const rows = await db.job.findMany({
    where,
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: limit,
    skip: offset,
  });
  const numbers = await findNumbers(
    db,
    rows.map(({ id }) => id),
  );
  const jobs = rows.map((row) => toSummary(toJob(row), numbers.get(row.id) as JobNumbers));
  return { jobs, total };
};

export const findRowPage = async (
  db: Database,
  job: Job,
  status: JobRowStatus | undefined,
  { limit, offset }: Page,
): Promise<{ videos: JobRow[]; total: number }> => {
  const where = { jobId: job.id, ...(status === undefined ? {} : { status }) };
  const total = await db.jobRow.count({ where });
  const rows = await db.jobRow.findMany({ where, orderBy: { position: 'asc' }, take: limit, skip: offset });
  return { videos: rows.map((row) => toRow(job, row)), total };
};

export const findManifestRows = async (db: Database, job: Job): Promise<ManifestRow[]> => {
  const rows = await db.jobRow.findMany({ where: { jobId: job.id }, orderBy: { position: 'asc' } });
  return rows.map((row) => toManifestRow(job, row));
};

export const findManifestRow = async (db: Database, job: Job, videoId: string): Promise<ManifestRow | null> => {
  const row = await db.jobRow.findUnique({ where: { jobId_videoId: { jobId: job.id, videoId } } });
  return row && toManifestRow(job, row);
};
