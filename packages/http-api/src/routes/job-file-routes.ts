import {
  bulkOrchestrator,
  jobStatus,
  jobSummary,
  manifestEntry,
  transcriptFetcher,
  transcriptFormat,
  uuid,
  videoId,
} from '@tds/contracts';
import { z } from 'zod';
import { frontMatter, jobParams, ofJob, passageFields, wordOf } from '../common-fields.ts';
import { defineRoutes, field, okBody } from '../define-route.ts';
import { cues, languageHeaders, passages } from './transcript-routes.ts';

export const manifestBody = okBody('Manifest', {
  job_id: uuid,
  ...jobSummary.pick({ monitor_id: true, name: true, metadata: true, omitted: true }).shape,
  status: jobStatus,
  format: transcriptFormat,
  rows: z.array(manifestEntry),
});

export const jobFilePassages = okBody('JobFilePassages', { format: z.literal('json'), cues, passages });

/** The data of each event of a progress stream. */
export const jobProgress = jobSummary
  .pick({
    ...{ id: true, status: true, pause_reason: true, resumes_at: true },
    ...{ error: true, counts: true, credits: true },
  })
  .meta({ id: 'JobProgress' });

export const fileHeaders = ['Content-Disposition', 'X-Cache'] as const;
export const jobFileRoutes = defineRoutes('Bulk jobs', {
  getJobManifest: {
    method: 'GET',
    path: '/v1/jobs/{id}/manifest',
    calls: [bulkOrchestrator.getJobManifest],
    ...ofJob,
    summary: 'Get the manifest of a job: what it delivered, video by video',
    description:
      'JSON and CSV have the same columns. If the source could not be read whole (omitted), a CSV says so in its header X-Is-Complete and in its last line. sha256 is that of the bytes of the file route. In CSV, text that a spreadsheet would run starts with an apostrophe. Costs 0 credits. It may be read before the job ends. language and track are aliases of delivered_language and caption_kind. translation is not_requested if there was none. output_file names are given in the order of the job; names that differ only in case or in composed accents count as equal.',
    query: {
      format: field(wordOf(['json', 'csv']), 'invalid_manifest_format', 'json or csv'),
    },
    responses: {
      200: {
        description: 'The manifest; csv is an attachment',
        schema: manifestBody,
        files: ['text/csv'],
        headers: ['Content-Disposition', 'Vary', 'X-Is-Complete'],
      },
    },
  },

  getJobFile: {
    method: 'GET',
    path: '/v1/jobs/{id}/files/{videoId}',
    calls: [bulkOrchestrator.getJobFile, transcriptFetcher.renderTranscripts],
    access: 'key',
    scope: 'jobs',
    summary: 'Download one transcript of a job, in the format of the job',
    params: { ...jobParams, videoId: field(videoId, 'invalid_video_id', 'The id of a video of the job') },
    description:
      'Counts as a cache read of the key. Costs 0 credits. The bytes and headers are those of raw=1, the name is that of the manifest without a number. A video that is not ready is 404 transcript_not_ready with the seconds to wait, one that was not delivered job_video_not_found. A file that was lost is 502 manifest_file_unavailable until it is made again, for 0 credits. With passages=true the answer is an object of cues and passages, as GET /v1/transcript describes them; the job needs the format json.',
    query: { ...passageFields, front_matter: frontMatter },
    responses: {
      200: {
        description:
          'The file (for format json, the array of cues; with passages=true, JobFilePassages); headers name its language',
        schema: z.union([cues, jobFilePassages]),
        files: ['text/plain', 'application/x-subrip', 'text/vtt', 'text/markdown'],
        headers: [...fileHeaders, 'Vary', ...languageHeaders],
      },
    },
    errors: ['transcript_not_ready', 'manifest_file_unavailable', 'cache_read_cap'],
  },

  streamJob: {
    method: 'GET',
    path: '/v1/jobs/{id}/events',
    calls: [bulkOrchestrator.getJobSummary],
    ...ofJob,
    summary: 'Stream the progress of a job as server-sent events',
    description:
      'Events are named job; the data of each is the whole progress (JobProgress), and the id its version. The first one comes at once. The stream ends with the job, or after 25 seconds; clients reconnect after ten. A client that reconnects with the Last-Event-ID of an ended job gets 204. GET /v1/jobs/{id} has the final state. Costs 0 credits. An event comes twice a second at most, a comment every ten seconds. Ten streams at a time per key, and ten for all sessions of the account: stream_cap.',
    responses: {
      200: { description: 'The stream', files: ['text/event-stream'], event: jobProgress },
      204: { description: 'No more events: the job has ended and the caller has its final state' },
    },
    errors: ['stream_cap'],
  },

  deleteJob: {
    method: 'DELETE',
    path: '/v1/jobs/{id}',
    calls: [bulkOrchestrator.deleteJob],
    ...ofJob,
    summary: 'Delete a job that has ended',
    description:
      'Deletes its list of videos, files and archives; charges stay. Repeats of its Idempotency-Key get the first answer as before. A job whose last video has not ended is 409 job_not_ended. A key with a daily_credit_cap, or an app, deletes only what it has begun: else begun_by_another_key.',
    responses: { 204: { description: 'Deleted' } },
  },
});
