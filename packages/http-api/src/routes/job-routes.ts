import {
  bulkOrchestrator,
  identity,
  JOB_ROWS_A_PAGE,
  job,
  jobLabels,
  jobRow,
  jobRowStatus,
  jobStatus,
  jobSummary,
  listingContents,
  MAX_JOB_INPUT_LENGTH,
  MAX_JOB_ROWS,
  MAX_JOBS_PER_PAGE,
  mailChoice,
  monitorId,
  transcriptFormat,
  videoId,
} from '@tds/contracts';
import { z } from 'zod';
import {
  chosenMail,
  count,
  jobParams,
  languageFields,
  mailBody,
  mailField,
  namedReceivers,
  ofJob,
  ofJobs,
  overrideUrl,
  pageAnswer,
  pageFields,
} from '../common-fields.ts';
import { defineRoutes, field, okAnswer, okBody } from '../define-route.ts';

const JOBS_BY_DEFAULT = 20;

const jobBody = okBody('JobResponse', { job });
const newJob = {
  input: field(
    z
      .string()
      .min(1)
      .max(MAX_JOB_INPUT_LENGTH)
      .optional()
      .meta({ examples: ['https://www.youtube.com/playlist?list=PL...', 'list:<key>'] }),
    'bulk_input_required',
    'A channel or playlist URL, a handle, an id, or list:<key>',
  ),
  video_ids: field(
    z.array(videoId).optional(),
    'invalid_video_id',
    'Ids of 11 characters; duplicates count once',
  ),
  format: field(
    transcriptFormat.default('both').meta({ default: 'both' }),
    'invalid_format',
    'The format of files and archives',
  ),
  ...languageFields,
  contents: field(
    listingContents.optional(),
    'invalid_contents',
    'For a channel: all, videos, shorts or streams; by default the tab that input names, else all',
  ),
  newest: field(
    z.number().int().min(1).max(MAX_JOB_ROWS).optional(),
    'invalid_newest',
    'Only the first videos of the source, up to this number; for a channel, the newest',
  ),
  name: field(
    jobLabels.name.optional(),
    'invalid_job_name',
    'Your name for the job, returned in every answer and event',
  ),
  metadata: field(
    jobLabels.metadata.optional(),
    'invalid_metadata',
    'Up to 16 named strings, returned in every answer and event',
  ),
  webhook_url: overrideUrl('this job'),
  receivers: namedReceivers('this job'),
  notify_email: field(
    z.boolean().default(false),
    'invalid_notify_email',
    'An older name of mail now; mail decides if both are sent',
  ),
  mail: mailField(
    mailChoice,
    'When you are mailed that the job completed or failed: at once, in the daily mail, or never; again after a retry',
  ),
};

export const jobRoutes = defineRoutes('Bulk jobs', {
  createJob: {
    method: 'POST',
    path: '/v1/jobs',
    calls: [bulkOrchestrator.createJob],
    access: 'key',
    scope: 'jobs',
    startsWork: true,
    movesBalance: true,
    takesIdempotencyKey: 'for ever',
    summary: 'Create a job of up to 500 transcripts',
    description:
      'Send exactly one of input and video_ids. Each video without a cached transcript reserves a credit at once; it is charged when its transcript is fetched, and the credit is free again if it fails. Videos beyond a daily limit wait until 00:00 UTC. A source that is not listed within two seconds is enumerated first. If the credits do not cover all new transcripts: 402 with required, available and shortfall. The job, its videos and its credits are saved before the answer and work begins after it, so an error has charged nothing. A source larger than the jobs of the tier is job_size_cap, or fails the job if only its listing shows it; nothing is cut off: use newest, or list it and send video_ids in parts. A video whose failure may pass is tried three times; outages, the budget and daily limits use up no try; broadcasts and captions that may still come are waited for, for six hours, and for a week in a job of a monitor, which also waits a day for the language of a strict request. active_job_cap does not count jobs that only wait for broadcasts or captions to come, and names the others in active_job_ids. An account begins 200 jobs a day, 2,000 if paid (job_creation_cap). After a 5xx the job is listed or costs nothing; a repeat with the Idempotency-Key says which.',
    body: newJob,
    bodyForms: { SourceJobRequest: ['input', 'contents', 'newest'], VideosJobRequest: ['video_ids'] },
    responses: { 202: { description: 'The job', schema: jobBody } },
    errors: ['conflicting_query_modes'],
  },

  listJobs: {
    method: 'GET',
    path: '/v1/jobs',
    calls: [bulkOrchestrator.listJobs],
    ...ofJobs,
    summary: 'List the jobs of the account, newest first',
    query: {
      ...pageFields(MAX_JOBS_PER_PAGE, JOBS_BY_DEFAULT),
      status: field(jobStatus.optional(), 'invalid_status', 'Only items in this state'),
      monitor_id: field(monitorId.optional(), 'invalid_monitor_id', 'Only jobs created by this monitor'),
      name: field(jobLabels.name.unwrap().optional(), 'invalid_job_name', 'Part of the name or the source'),
    },
    responses: {
      200: pageAnswer('A page of jobs, without their videos', 'JobList', { jobs: z.array(jobSummary) }),
    },
  },

  getJob: {
    method: 'GET',
    path: '/v1/jobs/{id}',
    calls: [bulkOrchestrator.getJob],
    ...ofJob,
    summary: 'Get a job: progress, credits and its first 100 videos',
    description:
      'completed: at least one transcript was delivered; failed: none was, or error says why. paused: nothing is at work, or few videos of a job that lacks credits; under another status pause_reason holds some videos back, such as those beyond 25 a day of a young account. resumes_at is null if it is unknown, and after thirty days of one pause the job fails. credits.reserved is one for each video at work or in line. A fetched transcript was charged; a cached one was not, also if another request had fetched it meanwhile. waiting_for and next_attempt_at are of a video that is tried again. webhook.status is of the newest event. Jobs are kept for 180 days after their end.',
    responses: { 200: { description: 'The job', schema: jobBody, headers: ['Vary'] } },
  },

  getJobMail: {
    method: 'GET',
    path: '/v1/jobs/{id}/mail',
    calls: [identity.getMailOfWork, bulkOrchestrator.getJobSummary],
    access: 'session',
    params: jobParams,
    summary: 'Get when you are mailed about a job',
    description: 'By default, as its mail says if you made it, or have the work of who did; else never.',
    responses: { 200: { description: 'Your choice', schema: mailBody } },
  },

  chooseJobMail: {
    method: 'PUT',
    path: '/v1/jobs/{id}/mail',
    calls: [identity.chooseMailOfWork, bulkOrchestrator.getJobSummary],
    access: 'session',
    params: jobParams,
    summary: 'Choose when you are mailed about a job',
    description:
      'It holds for the person who is signed in, and for nobody else. event_mails false of PATCH /v1/account/mail ends all such mails.',
    body: { mail: chosenMail(mailChoice) },
    responses: { 200: { description: 'Your choice', schema: mailBody } },
  },

  listJobVideos: {
    method: 'GET',
    path: '/v1/jobs/{id}/videos',
    calls: [bulkOrchestrator.listJobVideos],
    ...ofJob,
    summary: 'List the videos of a job',
    query: {
      ...pageFields(MAX_JOB_ROWS, JOB_ROWS_A_PAGE),
      status: field(jobRowStatus.optional(), 'invalid_status', 'Only items in this state'),
    },
    responses: {
      200: pageAnswer('A page of videos, in the order of the source', 'JobVideoList', {
        videos: z.array(jobRow),
      }),
    },
  },

  retryJob: {
    method: 'POST',
    path: '/v1/jobs/{id}/retry',
    calls: [bulkOrchestrator.retryJob],
    access: 'key',
    scope: 'jobs',
    startsWork: true,
    summary: 'Retry the failed videos that may succeed now',
    params: jobParams,
    description:
      'Costs nothing by itself; fetched transcripts are charged under the caps of the key that retries. A job that was paused because its key was revoked goes on under that key; its webhook_url is used no more. Any other job that is active, or has no such videos, is answered unchanged. It takes up videos whose error is retryable, transcript_not_ready or po_token_required. A cancelled job is 409 job_cancelled. A key with a daily_credit_cap, or an app, retries what it has begun, or what paused because its key was revoked: else begun_by_another_key.',
    responses: {
      200: okAnswer('The job', 'JobRetried', { job, requeued: count.describe('Videos that are retried') }),
    },
  },

  cancelJob: {
    method: 'POST',
    path: '/v1/jobs/{id}/cancel',
    calls: [bulkOrchestrator.cancelJob],
    ...ofJob,
    movesBalance: true,
    summary: 'Cancel a job',
    description:
      'Begins nothing more and releases the credits for it at once; videos under way end, and are charged if they are delivered. finished_at is the end of the last one. A job that has ended is answered unchanged. A session, or a key without a daily_credit_cap, may cancel every job of the account, whatever key began it; a key with one, or an app, only what it has begun: else begun_by_another_key.',
    responses: { 200: { description: 'The job', schema: jobBody } },
  },
});
