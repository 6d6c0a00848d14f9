import {
  archiver,
  bulkOrchestrator,
  jobStatus,
  jobSummary,
  manifestEntry,
  namedObject,
  transcriptFetcher,
  transcriptFormat,
  uuid,
  videoId,
} from '@tds/contracts';
import { z } from 'zod';
import { jobParams, passageFields, queryBoolean, wholeNumberText } from '../common-fields.ts';
import { defineRoutes, field, okBody } from '../define-route.ts';
import { cues, languageHeaders, passages } from './transcript-routes.ts';

export const manifestBody = okBody('Manifest', {
  job_id: uuid,
  monitor_id: jobSummary.shape.monitor_id,
  name: jobSummary.shape.name,
  metadata: jobSummary.shape.metadata,
  status: jobStatus,
  format: transcriptFormat,
  rows: z.array(manifestEntry),
});

export const archiveIndexBody = okBody('ArchiveIndex', {
  status: z.literal('ready'),
  job_id: uuid,
  archive_id: uuid.describe('Send it with each part, so that no part of another archive is returned'),
  formats: z.array(transcriptFormat),
  expires_at: z.iso.datetime(),
  bytes: z.number().int().positive().describe('Bytes of all parts'),
  parts: z.array(
    namedObject('ArchivePart', {
      part: z.number().int().positive(),
      url: z.string().describe('Relative URL; request it with the same key'),
      bytes: z.number().int().positive(),
      sha256: z.string(),
    }),
  ),
});

export const archiveQueuedBody = okBody('ArchiveQueued', {
  status: z.literal('queued'),
  job_id: uuid,
  archive_id: uuid,
});

export const jobFilePassages = okBody('JobFilePassages', { format: z.literal('json'), cues, passages });

/** The data of each event of a progress stream. */
export const jobProgress = jobSummary
  .pick({
    ...{ id: true, status: true, pause_reason: true, resumes_at: true },
    ...{ error: true, counts: true, credits: true },
  })
  .meta({ id: 'JobProgress' });

const several = z.union([z.string(), z.array(z.string())]);

/** One more than there are is a duplicate or no format, whatever follows. */
const READ_FORMATS = transcriptFormat.options.length + 1;

/** `srt,vtt`, or the parameter once for each. */
const formats = several
  .transform((value) => [value].flat().slice(0, READ_FORMATS))
  .transform((texts) => texts.flatMap((text) => text.split(',', READ_FORMATS)))
  .pipe(z.array(transcriptFormat).min(1))
  .optional()
  .meta({ type: 'array', items: { $ref: '#/$defs/TranscriptFormat' }, anyOf: undefined });

const partNumber = wholeNumberText(1, 999_999)
  .optional()
  .meta({ type: 'integer', minimum: 1, pattern: undefined });

const fileHeaders = ['Content-Disposition', 'X-Cache'] as const;
const zipHeaders = [...fileHeaders, 'Accept-Ranges', 'ETag', 'Repr-Digest', 'X-Archive-Expires-At'] as const;

export const jobFileRoutes = defineRoutes('Bulk jobs', {
  getJobManifest: {
    method: 'GET',
    path: '/v1/jobs/{id}/manifest',
    calls: [bulkOrchestrator.getJobManifest],
    access: 'key-or-session',
    scope: 'jobs',
    summary: 'Get the manifest of a job: what it delivered, video by video',
    params: jobParams,
    description:
      'JSON and CSV have the same columns. sha256 is that of the bytes of the file route. In CSV, text that a spreadsheet would run starts with an apostrophe. Costs 0 credits. It may be read before the job ends. language and track are aliases of delivered_language and caption_kind. translation is not_requested if there was none. output_file names are given in the order of the job; names that differ only in case or in composed accents count as equal.',
    query: {
      format: field(
        z
          .string()
          .default('json')
          .pipe(z.enum(['json', 'csv']))
          .meta({ enum: ['json', 'csv'] }),
        'invalid_manifest_format',
        'json or csv',
      ),
    },
    responses: {
      200: {
        description: 'The manifest; csv is an attachment',
        schema: manifestBody,
        files: ['text/csv'],
        headers: ['Content-Disposition', 'Vary'],
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
    query: passageFields,
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

  getJobArchive: {
    method: 'GET',
    path: '/v1/jobs/{id}/archive',
    calls: [archiver.getArchive],
    access: 'key',
    scope: 'jobs',
    summary: 'Download all files of an ended job as ZIP, in one or several formats',
    params: jobParams,
    description:
      'Built on request and kept for seven days. An archive is split before a ZIP has 80 MiB: then the answer is an index of its parts. Ranges (one at a time) resume a download; If-Range with the ETag keeps it to the same ZIP, If-None-Match asks only for another one (304). HEAD builds nothing: 404 not_cached. Each ZIP that is answered counts as a cache read of the key. Costs 0 credits. An archive waits for the last video of its job (archive_job_not_ready says how many are left); a job without deliveries has an archive of its manifests. Its folder is named after the job, else after its channel or playlist, else Source; each part holds the manifests, and index.html, which links all files and videos and works offline. With several formats each has a folder of its own with its manifests. 202 comes after 20 seconds. archive_cap: 20 archives a day and 512 MiB kept, 200 and 20 GiB if paid, with failed ones and rebuild=1; an archive that is there is answered in any case. archive_failed is answered for an hour, then the next request builds again. An archive that is replaced can be read for ten more minutes.',
    query: {
      format: field(
        formats,
        'invalid_archive_format',
        'One or several, separated by commas or repeated; default: the format of the job',
      ),
      formats: field(formats, 'invalid_archive_format', 'Alias of format; send one of them'),
      part: field(
        partNumber,
        'invalid_archive_part',
        'The number of the ZIP, if there are several; the first is 1',
      ),
      archive_id: field(
        z.string().optional().meta({ format: 'uuid' }),
        'archive_source_changed',
        'archive_id of the index: a part of another archive is refused',
      ),
      rebuild: field(queryBoolean(false), 'invalid_rebuild', '1 builds the archive again'),
    },
    responses: {
      200: {
        description: 'The ZIP, or the index of several ZIPs',
        schema: archiveIndexBody,
        files: ['application/zip'],
        headers: zipHeaders,
      },
      202: {
        description: 'The archive is being built; repeat the request without rebuild after Retry-After seconds',
        schema: archiveQueuedBody,
        headers: ['Retry-After'],
      },
      206: {
        description: 'The requested range of the ZIP',
        files: ['application/zip'],
        headers: [...zipHeaders, 'Content-Range'],
      },
      304: { description: 'If-None-Match names the current ZIP', headers: ['ETag'] },
    },
    errors: [
      'duplicate_archive_formats',
      'archive_part_not_found',
      'precondition_failed',
      'range_not_satisfiable',
      'archive_object_unavailable',
      'cache_read_cap',
    ],
  },

  streamJob: {
    method: 'GET',
    path: '/v1/jobs/{id}/events',
    calls: [bulkOrchestrator.getJobSummary],
    access: 'key-or-session',
    scope: 'jobs',
    summary: 'Stream the progress of a job as server-sent events',
    params: jobParams,
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
    access: 'key-or-session',
    scope: 'jobs',
    summary: 'Delete a job that has ended',
    params: jobParams,
    description:
      'Deletes its list of videos, files and archives; charges stay. Repeats of its Idempotency-Key get the first answer as before. A job whose last video has not ended is 409 job_not_ended.',
    responses: { 204: { description: 'Deleted' } },
  },
});
