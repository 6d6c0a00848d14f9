import { serviceErrorData } from '@tds/errors';
import { z } from 'zod';
import { deliveredFields } from './delivered-row.ts';
import { count, line, madeBy, namedObject, time, uuid, videoId } from './ids.ts';
import { jobRowStatus, jobStatus } from './job-statuses.ts';
import { listingContents } from './listing-contents.ts';
import { mailChoice } from './mail.ts';
import { receiverIds } from './receiver-ids.ts';
import { languageCode, transcriptFormat } from './transcript.ts';

/** Rows of one job; no tier has more. */
export const MAX_JOB_ROWS = 500;
export const MAX_JOBS_PER_PAGE = 100;
/** Rows of the first page, which the job itself contains. */
export const JOB_ROWS_A_PAGE = 100;
export const MAX_JOB_INPUT_LENGTH = 2_048;
export const MAX_WEBHOOK_URL_LENGTH = 2_048;
export const MAX_JOB_NAME_LENGTH = 120;
const MAX_METADATA = 16;
const MAX_METADATA_KEY_LENGTH = 40;
const MAX_METADATA_VALUE_LENGTH = 500;

const MAX_NAME_LENGTH = 64;
const MAX_MESSAGE_LENGTH = 500;

export const pauseReason = z
  .enum([
    'insufficient_credits',
    'daily_limit',
    'budget_exhausted',
    'platform_unavailable',
    'waiting_for_broadcast',
    'key_revoked',
    'account_frozen',
  ])
  .meta({ id: 'PauseReason' });
export type PauseReason = z.infer<typeof pauseReason>;

/** How many rows are in each status. */
export const jobCounts = namedObject('JobCounts', {
  total: count,
  ...{ pending: count, processing: count, cached: count, fetched: count, error: count, cancelled: count },
});
export type JobCounts = z.infer<typeof jobCounts>;

/** `reserved`: held for rows that are not fetched yet. `charged`: one for each fetched row. */
export const jobCredits = namedObject('JobCredits', { reserved: count, charged: count });
export type JobCredits = z.infer<typeof jobCredits>;

/** Why a job or a row has failed, with the codes of the API. */
const jobError = serviceErrorData.pick({ errorClass: true, code: true }).meta({ id: 'JobError' });

const jobSource = namedObject('JobSource', {
  kind: z.enum(['video_ids', 'channel', 'playlist', 'list']),
  input: z.string().max(MAX_JOB_INPUT_LENGTH).nullable().describe('As it was sent; null for video_ids'),
  contents: listingContents.default('all').describe('What of a channel it takes'),
});

/** The customer's labels of the job, repeated in answers and events; the service does not interpret them. */
export const jobLabels = {
  name: z.string().min(1).max(MAX_JOB_NAME_LENGTH).nullable(),
  metadata: z
    .record(z.string().min(1).max(MAX_METADATA_KEY_LENGTH), z.string().max(MAX_METADATA_VALUE_LENGTH))
    .refine((pairs) => Object.keys(pairs).length <= MAX_METADATA),
};

/** Why a row waits for its next try. */
const rowWaitsFor = z.enum(['broadcast', 'retry']).meta({ id: 'WaitReason' });
export type RowWaitsFor = z.infer<typeof rowWaitsFor>;

/** One video of a job. */
export const jobRow = namedObject('JobVideo', {
  position: count.describe('From 0, in the order of the source'),
  video_id: videoId,
  title: deliveredFields.title,
  status: jobRowStatus,
  requested_language: z.string().max(MAX_NAME_LENGTH),
  delivered_language: deliveredFields.delivered_language,
  language: languageCode.nullable().describe('Alias of delivered_language'),
  fallback: deliveredFields.fallback.describe('Null before delivery'),
  translation: deliveredFields.translation.describe('Null before delivery'),
  attempts: count.describe('Since the job began, retries included'),
  credits_charged: count,
  error_class: z.string().max(MAX_NAME_LENGTH).nullable(),
  error_code: z.string().max(MAX_NAME_LENGTH).nullable(),
  message: line(MAX_MESSAGE_LENGTH)
    .nullable()
    .describe('Why it has failed, or waits to be tried again, in words'),
  retryable: z
    .boolean()
    .nullable()
    .describe('Whether a retry of the job takes it up; null if it has not failed'),
  waiting_for: rowWaitsFor.nullable(),
  next_attempt_at: time.nullable().describe('When a video that waits is tried again'),
});
export type JobRow = z.infer<typeof jobRow>;

/** A row with what manifests, files and archives need besides. The publish date of a listing may have a time. */
export const manifestRow = jobRow.extend({ ...deliveredFields, published_at: line(40).nullable() });
export type ManifestRow = z.infer<typeof manifestRow>;

/** A job without its rows. `version` grows with every change of the job or of its rows. */
export const jobSummary = namedObject('JobSummary', {
  id: uuid,
  status: jobStatus,
  pause_reason: pauseReason.nullable(),
  resumes_at: time
    .nullable()
    .describe('When what pause_reason holds back goes on by itself; null if that is unknown'),
  ...jobLabels,
  error: jobError.nullable(),
  source: jobSource,
  omitted: count
    .default(0)
    .describe('Entries that could not be read when its source was listed: videos may be missing'),
  format: transcriptFormat,
  language: z.string().max(MAX_NAME_LENGTH),
  fallback: z.boolean(),
  counts: jobCounts,
  credits: jobCredits,
  webhook: namedObject('JobWebhook', {
    url: z.string().max(MAX_WEBHOOK_URL_LENGTH).nullable(),
    status: z
      .enum(['none', 'waiting', 'pending', 'delivered', 'failed'])
      .describe('Of its newest event; waiting before there is one, none if the account has no webhook'),
  }),
  receivers: receiverIds
    .default([])
    .describe('The receivers that alone get its events; empty: all that are not named_only'),
  monitor_id: z.string().max(MAX_NAME_LENGTH).nullable(),
  person_id: madeBy,
  notify_email: z.boolean().describe('Whether mail is now'),
  mail: mailChoice
    .default('none')
    .describe('When who made it is mailed that it has completed or failed, unless they chose otherwise since'),
  created_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
});
export type JobSummary = z.input<typeof jobSummary>;

/** An ended job changes only by a retry. Rows of a cancelled job may still be under way. */
export const hasJobEnded = ({ status, counts }: Pick<JobSummary, 'status' | 'counts'>): boolean =>
  ['completed', 'failed', 'cancelled'].includes(status) && counts.pending + counts.processing === 0;

export const job = jobSummary
  .extend({
    videos: z.array(jobRow).max(JOB_ROWS_A_PAGE).describe('The first videos; GET /v1/jobs/{id}/videos has all'),
  })
  .meta({ id: 'Job' });
export type Job = z.input<typeof job>;

/** A job at this version. */
export const versionedJob = z.object({ job, version: count });
export const versionedJobSummary = z.object({ job: jobSummary, version: count });

/** The payload of the events of a job. */
export const jobEvent = z.object({
  jobId: uuid,
  accountId: uuid,
  monitorId: z.string().max(MAX_NAME_LENGTH).nullable(),
  status: jobStatus,
  pauseReason: pauseReason.nullable(),
  resumesAt: time.nullable(),
  ...jobLabels,
  counts: jobCounts,
  /** Absent from the release before. */
  omitted: count.optional(),
  credits: jobCredits,
  webhookUrl: z.string().max(MAX_WEBHOOK_URL_LENGTH).nullable(),
  /** The key that gave this URL. */
  webhookKeyId: uuid.nullable(),
  /** Those that it names; absent from the release before. */
  receiverIds: receiverIds.optional(),
  notifyEmail: z.boolean(),
  dailyMail: z.boolean().optional(),
  /** Who made it; null is the first person, and absent, from the release before, the oldest owner. */
  personId: uuid.nullish(),
  version: count,
});
