import {
  JOB_ROWS_A_PAGE,
  type Job as JobBody,
  type JobRow,
  type JobRowStatus,
  type JobSummary,
  type ManifestRow,
} from '@tds/contracts';
import type { RowError } from '../domain/outcomes.ts';
import type { Database, Tx } from './database.ts';
import { type JobNumbers, numbersOf, numbersOfOne } from './job-numbers.ts';
import { type Job, toJob } from './jobs.ts';

type Row = NonNullable<Awaited<ReturnType<Database['jobRow']['findFirst']>>>;
type Page = { readonly limit: number; readonly offset: number };

const timeOf = (at: Date | null): string | null => at?.toISOString() ?? null;

export const toSummary = (job: Job, { counts, credits }: JobNumbers): JobSummary => ({
  ...{ id: job.id, status: job.status, pause_reason: job.pauseReason, error: job.error },
  source: { kind: job.sourceKind, input: job.sourceInput },
  ...{ format: job.format, language: job.language, fallback: job.fallback, counts, credits },
  webhook: { url: null, status: 'none' },
  monitor_id: job.monitorId,
  created_at: job.createdAt.toISOString(),
  started_at: timeOf(job.startedAt),
  finished_at: timeOf(job.finishedAt),
});

/** Why a row has failed; of one that is tried again, or was delivered since, that is the past. */
const failureOf = ({ status, error }: Row): RowError | null =>
  status === 'error' ? (error as RowError | null) : null;

export const toRow = ({ language }: Job, row: Row): JobRow => {
  const failure = failureOf(row);
  return {
    ...{ position: row.position, video_id: row.videoId, title: row.title },
    ...{ status: row.status as JobRowStatus, requested_language: language },
    ...{ delivered_language: row.deliveredLanguage, language: row.deliveredLanguage },
    ...{ fallback: row.isFallback, translation: row.translation as JobRow['translation'] },
    ...{ attempts: row.attempts, credits_charged: row.creditsCharged },
    ...{ error_class: failure?.errorClass ?? null, error_code: failure?.code ?? null },
  };
};

export const toManifestRow = (job: Job, row: Row): ManifestRow => ({
  ...toRow(job, row),
  published_at: row.publishedAt,
  caption_kind: row.captionKind as ManifestRow['caption_kind'],
  ...{ strategy: row.strategy, transcript_id: row.transcriptId, object_key: row.objectKey },
  ...{ bytes: row.bytes, sha256: row.sha256 },
});

export const summaryOf = async (db: Database | Tx, job: Job): Promise<JobSummary> =>
  toSummary(job, await numbersOfOne(db, job.id));

/** The job as customers see it, with its first rows. */
export const bodyOf = async (db: Database | Tx, job: Job): Promise<JobBody> => {
  const summary = await summaryOf(db, job);
  const rows = await db.jobRow.findMany({
    where: { jobId: job.id },
    orderBy: { position: 'asc' },
    take: JOB_ROWS_A_PAGE,
  });
  return { ...summary, videos: rows.map((row) => toRow(job, row)) };
};

export const pageOfJobs = async (
  db: Database,
  where: { readonly accountId: string; readonly status?: string },
  { limit, offset }: Page,
): Promise<{ jobs: JobSummary[]; total: number }> => {
  const total = await db.job.count({ where });
  const rows = await db.job.findMany({
    where,
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: limit,
    skip: offset,
  });
  const numbers = await numbersOf(
    db,
    rows.map(({ id }) => id),
  );
  const jobs = rows.map((row) => toSummary(toJob(row), numbers.get(row.id) as JobNumbers));
  return { jobs, total };
};

export const pageOfRows = async (
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

export const manifestRowsOf = async (db: Database, job: Job): Promise<ManifestRow[]> => {
  const rows = await db.jobRow.findMany({ where: { jobId: job.id }, orderBy: { position: 'asc' } });
  return rows.map((row) => toManifestRow(job, row));
};

export const manifestRowOf = async (db: Database, job: Job, videoId: string): Promise<ManifestRow | null> => {
  const row = await db.jobRow.findUnique({ where: { jobId_videoId: { jobId: job.id, videoId } } });
  return row && toManifestRow(job, row);
};
