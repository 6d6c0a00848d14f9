import {
  archiver,
  bulkOrchestrator,
  jobStatus,
  jobSummary,
  manifestEntry,
  transcriptFormat,
  uuid,
} from '@tds/contracts';
import { z } from 'zod';
import { defineRoutes, field, okBody } from '../define-route.ts';
import { queryBoolean } from '../rules.ts';

export const manifestBody = okBody({
  job_id: uuid,
  monitor_id: jobSummary.shape.monitor_id,
  name: jobSummary.shape.name,
  metadata: jobSummary.shape.metadata,
  status: jobStatus,
  format: transcriptFormat,
  rows: z.array(manifestEntry),
}).meta({ id: 'Manifest' });

export const archiveIndexBody = okBody({
  status: z.literal('ready'),
  job_id: uuid,
  archive_id: uuid.describe('Send it along, so that no part of another archive is answered'),
  formats: z.array(transcriptFormat),
  expires_at: z.iso.datetime(),
  bytes: z.number().int().positive().describe('Of all parts'),
  parts: z.array(
    z.object({
      part: z.number().int().positive(),
      url: z.string().describe('Relative; ask for it with the same key'),
      bytes: z.number().int().positive(),
      sha256: z.string(),
    }),
  ),
}).meta({ id: 'ArchiveIndex' });

export const archiveQueuedBody = okBody({
  status: z.literal('queued'),
  job_id: uuid,
  archive_id: uuid,
}).meta({ id: 'ArchiveQueued' });

/** The data of each event of a progress stream. */
export const jobProgress = jobSummary
  .pick({ id: true, status: true, pause_reason: true, error: true, counts: true, credits: true })
  .meta({ id: 'JobProgress' });

const several = z.union([z.string(), z.array(z.string())]);

/** `srt,vtt`, or the parameter once for each. */
const formats = several
  .transform((given) => [given].flat().flatMap((text) => text.split(',')))
  .pipe(z.array(transcriptFormat).min(1))
  .optional()
  .meta({ type: 'array', items: { type: 'string', enum: transcriptFormat.options }, anyOf: undefined });

const partNumber = z
  .string()
  .regex(/^[1-9]\d{0,5}$/)
  .transform(Number)
  .optional()
  .meta({ type: 'integer', minimum: 1, pattern: undefined });

const ofFiles = ['Content-Disposition', 'X-Cache'] as const;
const ofZips = [...ofFiles, 'Accept-Ranges', 'ETag', 'Repr-Digest', 'X-Archive-Expires-At'] as const;

export const jobFileRoutes = defineRoutes({
  getJobManifest: {
    method: 'GET',
    path: '/v1/jobs/{id}/manifest',
    access: 'key-or-session',
    tag: 'Bulk jobs',
    summary: 'What a job has delivered, row by row',
    description:
      'Columns are the same as JSON and as CSV. sha256 is of the bytes that the file route answers. In CSV, text that a spreadsheet would run starts with an apostrophe. Costs 0 credits.',
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
        description: 'The manifest; csv comes as an attachment',
        schema: manifestBody,
        files: ['text/csv'],
        headers: ['Content-Disposition', 'Vary'],
      },
    },
    errors: ['invalid_manifest_format', 'invalid_job_id', ...bulkOrchestrator.getJobManifest.errors],
  },

  getJobFile: {
    method: 'GET',
    path: '/v1/jobs/{id}/files/{videoId}',
    access: 'key',
    tag: 'Bulk jobs',
    summary: 'One transcript of a job as a file, in the format of the job',
    description: 'Counts as a cache read of the key. Costs 0 credits.',
    responses: {
      200: {
        description: 'The file; its language stands in headers',
        files: ['application/json', 'text/plain', 'application/x-subrip', 'text/vtt', 'text/markdown'],
        headers: [
          ...ofFiles,
          'Vary',
          'Content-Language',
          'X-Transcript-Language-Requested',
          'X-Transcript-Fallback',
          'X-Transcript-Translation',
          'X-Transcript-Kind',
        ],
      },
    },
    errors: [
      'invalid_job_id',
      'invalid_video_id',
      ...bulkOrchestrator.getJobFile.errors,
      'transcript_not_ready',
      'manifest_file_unavailable',
      'cache_read_cap',
    ],
  },

  getJobArchive: {
    method: 'GET',
    path: '/v1/jobs/{id}/archive',
    access: 'key',
    tag: 'Bulk jobs',
    summary: 'All files of an ended job as ZIP, in one format or several',
    description:
      'Built on request and kept for seven days. An archive is split before a ZIP has 80 MiB: then the answer is an index of its parts. Ranges (one at a time) resume a download; If-Range with the ETag sees to it that it is of the same ZIP, and If-None-Match asks only for another one (304). HEAD builds nothing: 404 not_cached. Each ZIP that is answered counts as a cache read of the key. Costs 0 credits.',
    query: {
      format: field(
        formats,
        'invalid_archive_format',
        'One or several, separated by commas or repeated; default that of the job',
      ),
      formats: field(formats, 'invalid_archive_format', 'The same as format; send one of them'),
      part: field(partNumber, 'invalid_archive_part', 'Which ZIP of several; 1 is the first'),
      archive_id: field(
        z.string().optional().meta({ format: 'uuid' }),
        'archive_source_changed',
        'Of an index: a part of another archive is refused',
      ),
      rebuild: field(queryBoolean(false), 'invalid_rebuild', '1 builds it anew'),
    },
    responses: {
      200: {
        description: 'The ZIP, or the index of several',
        schema: archiveIndexBody,
        files: ['application/zip'],
        headers: ofZips,
      },
      202: {
        description: 'It is being built; ask again after the seconds of Retry-After, without rebuild',
        schema: archiveQueuedBody,
        headers: ['Retry-After'],
      },
      206: {
        description: 'The range of the ZIP that was asked for',
        files: ['application/zip'],
        headers: [...ofZips, 'Content-Range'],
      },
      304: { description: 'The ZIP that If-None-Match names is the current one', headers: ['ETag'] },
    },
    errors: [
      'invalid_job_id',
      'invalid_archive_format',
      'duplicate_archive_formats',
      'invalid_archive_part',
      'archive_part_not_found',
      'invalid_rebuild',
      'precondition_failed',
      'range_not_satisfiable',
      'archive_object_unavailable',
      'cache_read_cap',
      ...archiver.getArchive.errors,
    ],
  },

  streamJob: {
    method: 'GET',
    path: '/v1/jobs/{id}/events',
    access: 'key-or-session',
    tag: 'Bulk jobs',
    summary: 'The progress of a job as server-sent events',
    description:
      'Events are named job; the data of each is the whole progress (JobProgress), and the id its version. The first one comes at once, later ones a few times a second at most. The stream ends with the job, or after 25 seconds; clients come back after ten. Whoever comes back with the Last-Event-ID of an ended job is answered 204. The final state is that of GET /v1/jobs/{id}. Costs 0 credits.',
    responses: {
      200: { description: 'The stream', files: ['text/event-stream'], event: jobProgress },
      204: { description: 'There is nothing to come: the job has ended, and the caller knows how' },
    },
    errors: ['invalid_job_id', 'job_not_found', 'stream_cap'],
  },

  deleteJob: {
    method: 'DELETE',
    path: '/v1/jobs/{id}',
    access: 'key-or-session',
    tag: 'Bulk jobs',
    summary: 'Erase a job that has ended',
    description:
      'Its rows, files and archives are gone, and nobody finds it any more; what was charged stays charged. Its Idempotency-Key still answers what it answered first.',
    responses: { 204: { description: 'It is erased' } },
    errors: ['invalid_job_id', ...bulkOrchestrator.deleteJob.errors],
  },
});
