import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { idempotencyKey } from '../http/idempotency-key.ts';
import { tier } from '../identity/principal.ts';
import { uuid, videoId } from '../ids.ts';
import { search } from '../search/contract.ts';
import { transcriptFormat } from '../transcript.ts';
import {
  job,
  jobRow,
  jobSummary,
  LONGEST_JOB_INPUT,
  LONGEST_WEBHOOK_URL,
  MOST_JOB_ROWS,
  MOST_JOBS_A_PAGE,
  versionedJob,
  versionedJobSummary,
} from './job.ts';
import { jobRowStatus, jobStatus } from './statuses.ts';

/** As long as a request may take; repeats of one with the same Idempotency-Key wait so long for the first. */
const JOB_WAIT_MS = 25_000;
const HOPS_MS = 3_000;
/** More than the body of a request holds; the same id may come more than once. */
const MOST_SENT_IDS = 10_000;

const owned = { accountId: uuid, jobId: uuid };
const offset = z.number().int().nonnegative();

export const jobCommands = commands({
  /**
   * Begins a job. What is known to be cold is reserved before the answer, all or nothing; a source that has to be listed first
   * is `enumerating`. The same Idempotency-Key of an account answers for ever what it answered first, and begins nothing.
   */
  createJob: {
    request: z.object({
      accountId: uuid,
      keyId: uuid.nullable(),
      limitId: uuid.optional(),
      tier,
      accountCreatedAt: z.iso.datetime(),
      /** Credits that the key may use on one UTC day; null or absent is no cap. */
      dailyCreditCap: z.number().int().positive().nullish(),
      idempotencyKey: idempotencyKey.nullable(),
      /** A channel, a playlist or a list key; or the ids themselves. */
      source: z.union([
        z.object({ input: z.string().min(1).max(LONGEST_JOB_INPUT) }),
        z.object({ videoIds: z.array(videoId).min(1).max(MOST_SENT_IDS) }),
      ]),
      format: transcriptFormat,
      language: z.string().max(64),
      fallback: z.boolean(),
      webhookUrl: z.string().max(LONGEST_WEBHOOK_URL).nullable(),
      monitorId: z.string().max(64).nullable(),
    }),
    reply: z.object({ job, isReplayed: z.boolean() }),
    errors: [
      ...search.listVideos.errors,
      'empty_list',
      'job_size_cap',
      'active_job_cap',
      'webhook_not_configured',
      'insufficient_credits',
      'account_frozen',
      'account_closed',
      'daily_credit_cap',
    ],
    timeoutMs: JOB_WAIT_MS + HOPS_MS,
  },

  getJob: { request: z.object(owned), reply: versionedJob, errors: ['job_not_found'] },

  /** Without its rows: for those who look at it again and again. */
  getJobSummary: { request: z.object(owned), reply: versionedJobSummary, errors: ['job_not_found'] },

  /** Newest first. */
  listJobs: {
    request: z.object({
      accountId: uuid,
      limit: z.number().int().min(1).max(MOST_JOBS_A_PAGE),
      offset,
      status: jobStatus.optional(),
    }),
    reply: z.object({ jobs: z.array(jobSummary).max(MOST_JOBS_A_PAGE), total: z.number().int() }),
  },

  listJobVideos: {
    request: z.object({
      ...owned,
      limit: z.number().int().min(1).max(MOST_JOB_ROWS),
      offset,
      status: jobRowStatus.optional(),
    }),
    reply: z.object({ videos: z.array(jobRow).max(MOST_JOB_ROWS), total: z.number().int() }),
    errors: ['job_not_found'],
  },

  /** Nothing is begun any more, and what is held and not charged is given back. Repeating it changes nothing. */
  cancelJob: { request: z.object(owned), reply: versionedJob, errors: ['job_not_found'] },

  /** Rows that failed and may succeed later are tried again. Of a job that is active, or has no such row, it changes nothing. */
  retryJob: {
    request: z.object({ ...owned, tier }),
    reply: versionedJob.extend({ requeued: z.number().int().nonnegative() }),
    errors: ['job_not_found', 'job_cancelled', 'active_job_cap'],
  },
});
