import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { HOPS_MS, JOB_WAIT_MS } from '../deadlines.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { count, line, pageOf, uuid, videoId } from '../ids.ts';
import {
  job,
  jobLabels,
  jobRow,
  jobSummary,
  MAX_JOB_INPUT_LENGTH,
  MAX_JOB_NAME_LENGTH,
  MAX_JOB_ROWS,
  MAX_JOBS_PER_PAGE,
  MAX_WEBHOOK_URL_LENGTH,
  manifestRow,
  versionedJob,
  versionedJobSummary,
} from '../job.ts';
import { jobRowStatus, jobStatus } from '../job-statuses.ts';
import { listingContents } from '../listing-contents.ts';
import { tier } from '../principal.ts';
import { receiverIds } from '../receiver-ids.ts';
import { search } from '../search/index.ts';
import { publicationDay, transcriptFormat } from '../transcript.ts';
import { webhookDispatcher } from '../webhook-dispatcher/index.ts';

/** Above the ids that a request body can hold, duplicates included. */
const MAX_SENT_IDS = 10_000;

const owned = { accountId: uuid, jobId: uuid };
/** The key that asks, or null for a session; absent from the release before, which changes all. */
const by = { keyId: uuid.nullable().optional() };

export const jobCommands = commands({
  /**
   * Creates a job without waiting for its rows. Credits for all cold rows are held before the answer, or the job is rejected; this includes
   * rows that a daily cap moves to the next day. A source that must be listed first is `enumerating`. The same Idempotency-Key of an account
   * always gets the first answer; with another request it is rejected.
   */
  createJob: {
    request: z.object({
      accountId: uuid,
      keyId: uuid.nullable(),
      personId: uuid.nullish(),
      limitId: uuid.nullable(),
      tier,
      idempotencyKey: idempotencyKey.nullable(),
      /** A channel, a playlist or a list key; or the ids themselves. */
      source: z.union([
        z.object({
          input: z.string().min(1).max(MAX_JOB_INPUT_LENGTH),
          contents: listingContents,
          /** Takes this number of videos from the start of the listing; a channel's are its newest. */
          newest: z.number().int().min(1).max(MAX_JOB_ROWS).nullable(),
        }),
        z.object({
          videoIds: z.array(videoId).min(1).max(MAX_SENT_IDS),
          /** The known publish dates, by video. */
          publishedAt: z.record(videoId, publicationDay).optional(),
        }),
      ]),
      format: transcriptFormat,
      language: z.string().max(64),
      fallback: z.boolean(),
      webhookUrl: z.string().max(MAX_WEBHOOK_URL_LENGTH).nullable(),
      /** The key that gave this URL; absent if it is `keyId`. */
      webhookKeyId: uuid.nullable().optional(),
      receiverIds: receiverIds.optional(),
      monitorId: z.string().max(64).nullable(),
      notifyEmail: z.boolean().optional(),
      dailyMail: z.boolean().optional(),
      /** The account had this job before a restore lost it: caps of jobs and the check of its webhook URL let it pass. */
      isRestored: z.boolean().optional(),
      ...jobLabels,
      /** Of a monitor's job, what the platform calls its source. */
      name: line(MAX_JOB_NAME_LENGTH).min(1).nullable(),
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
      ...webhookDispatcher.checkReceivers.errors,
      'insufficient_credits',
      'account_frozen',
      'account_closed',
      'key_revoked',
    ],
    timeoutMs: JOB_WAIT_MS + HOPS_MS,
  },

  getJob: { request: z.object(owned), reply: versionedJob, errors: ['job_not_found'] },

  /** A job without its rows, for polling. */
  getJobSummary: { request: z.object(owned), reply: versionedJobSummary, errors: ['job_not_found'] },

  /** Newest first. */
  listJobs: {
    request: z.object({
      accountId: uuid,
      ...pageOf(MAX_JOBS_PER_PAGE),
      status: jobStatus.optional(),
      monitorId: z.string().max(64).optional(),
      name: z.string().max(MAX_JOB_NAME_LENGTH).optional(),
    }),
    reply: z.object({ jobs: z.array(jobSummary).max(MAX_JOBS_PER_PAGE), total: z.number().int() }),
  },

  listJobVideos: {
    request: z.object({ ...owned, ...pageOf(MAX_JOB_ROWS), status: jobRowStatus.optional() }),
    reply: z.object({ videos: z.array(jobRow).max(MAX_JOB_ROWS), total: z.number().int() }),
    errors: ['job_not_found'],
  },

  /** Begins no more rows. Rows under way end, and are charged if they are delivered. A repeat changes nothing. */
  cancelJob: {
    request: z.object({ ...owned, ...by }),
    reply: versionedJob,
    errors: ['job_not_found', 'begun_by_another_key'],
    isIdempotent: true,
  },

  /**
   * Retries failed rows that may succeed later, under the caps of the requesting key; also those of a job whose key was revoked.
   * Changes nothing for another active job, or one without such rows.
   */
  retryJob: {
    request: z.object({ ...owned, tier, keyId: uuid.nullable(), limitId: uuid.nullable() }),
    reply: versionedJob.extend({ requeued: count }),
    errors: ['job_not_found', 'job_cancelled', 'active_job_cap', 'begun_by_another_key'],
  },

  /** Deletes a job that has ended with its rows. Its Idempotency-Key still answers the first answer. */
  deleteJob: {
    request: z.object({ ...owned, ...by }),
    reply: z.object({}),
    errors: ['job_not_found', 'job_not_ended', 'begun_by_another_key'],
  },
});

export const manifestCommands = commands({
  /** All rows in order, as manifests, files and archives need them; also while the job is running. */
  getJobManifest: {
    request: z.object(owned),
    reply: z.object({ job: jobSummary, version: count, rows: z.array(manifestRow).max(MAX_JOB_ROWS) }),
    errors: ['job_not_found'],
  },

  /** One row of the job, delivered or not. */
  getJobFile: {
    request: z.object({ ...owned, videoId }),
    reply: z.object({ job: jobSummary, version: count, row: manifestRow }),
    errors: ['job_not_found', 'job_video_not_found'],
  },
});
