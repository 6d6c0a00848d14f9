import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { HOPS_MS, JOB_WAIT_MS } from '../deadlines.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { tier } from '../identity/principal.ts';
import { uuid, videoId } from '../ids.ts';
import { search } from '../search/contract.ts';
import { listingContents } from '../search/listing-commands.ts';
import { transcriptFormat } from '../transcript.ts';
import { webhookDispatcher } from '../webhook-dispatcher/contract.ts';
import {
  job,
  jobLabels,
  jobRow,
  jobSummary,
  LONGEST_JOB_INPUT,
  LONGEST_WEBHOOK_URL,
  MOST_JOB_ROWS,
  MOST_JOBS_A_PAGE,
  manifestRow,
  versionedJob,
  versionedJobSummary,
} from './job.ts';
import { jobRowStatus, jobStatus } from './statuses.ts';

/** More than the body of a request holds; the same id may come more than once. */
const MOST_SENT_IDS = 10_000;

const owned = { accountId: uuid, jobId: uuid };
const offset = z.number().int().nonnegative();

export const jobCommands = commands({
  /**
   * Begins a job, and waits for none of its rows. What is cold has its credits before the answer, all or nothing; what a cap of the day leaves
   * no room for waits for the next day, and has to be covered as well. A source that has to be listed first is `enumerating`. The same Idempotency-Key of an account answers for ever what it answered first, and begins nothing; with another request it is refused.
   */
  createJob: {
    request: z.object({
      accountId: uuid,
      keyId: uuid.nullable(),
      limitId: uuid.nullable(),
      tier,
      idempotencyKey: idempotencyKey.nullable(),
      /** A channel, a playlist or a list key; or the ids themselves. */
      source: z.union([
        z.object({
          input: z.string().min(1).max(LONGEST_JOB_INPUT),
          contents: listingContents,
          /** Only this number of videos from the start of the listing: of a channel, the newest. */
          newest: z.number().int().min(1).max(MOST_JOB_ROWS).nullable(),
        }),
        z.object({ videoIds: z.array(videoId).min(1).max(MOST_SENT_IDS) }),
      ]),
      format: transcriptFormat,
      language: z.string().max(64),
      fallback: z.boolean(),
      webhookUrl: z.string().max(LONGEST_WEBHOOK_URL).nullable(),
      monitorId: z.string().max(64).nullable(),
      ...jobLabels,
    }),
    reply: z.object({ job, isReplayed: z.boolean() }),
    errors: [
      ...search.listVideos.errors,
      'idempotency_key_reused',
      'empty_list',
      'job_size_cap',
      'active_job_cap',
      'job_creation_cap',
      ...webhookDispatcher.checkWebhookUrl.errors,
      'insufficient_credits',
      'account_frozen',
      'account_closed',
      'key_revoked',
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
      monitorId: z.string().max(64).optional(),
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

  /** Nothing is begun any more; what is under way ends, and is charged if it is delivered. Repeating it changes nothing. */
  cancelJob: { request: z.object(owned), reply: versionedJob, errors: ['job_not_found'] },

  /**
   * Rows that failed and may succeed later are tried again, under the caps of the requesting key. So are those of a job whose key was
   * revoked. Of any other active job, or one that has no such row, it changes nothing.
   */
  retryJob: {
    request: z.object({ ...owned, tier, keyId: uuid.nullable(), limitId: uuid.nullable() }),
    reply: versionedJob.extend({ requeued: z.number().int().nonnegative() }),
    errors: ['job_not_found', 'job_cancelled', 'active_job_cap'],
  },

  /** Deletes a job that has ended with its rows. Its Idempotency-Key still answers the first answer. */
  deleteJob: { request: z.object(owned), reply: z.object({}), errors: ['job_not_found', 'job_not_ended'] },
});

const version = z.number().int().nonnegative();

export const manifestCommands = commands({
  /** All rows in order, with what manifests, files and archives are made of; at any time, also while the job is under way. */
  getJobManifest: {
    request: z.object(owned),
    reply: z.object({ job: jobSummary, version, rows: z.array(manifestRow).max(MOST_JOB_ROWS) }),
    errors: ['job_not_found'],
  },

  /** One row of the job; whether it was delivered is for the caller to see. */
  getJobFile: {
    request: z.object({ ...owned, videoId }),
    reply: z.object({ job: jobSummary, version, row: manifestRow }),
    errors: ['job_not_found', 'job_video_not_found'],
  },
});
