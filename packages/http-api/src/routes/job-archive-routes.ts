import {
  archiver,
  MAX_DOCUMENT_WORDS,
  MIN_DOCUMENT_WORDS,
  namedObject,
  transcriptFormat,
  uuid,
} from '@tds/contracts';
import { z } from 'zod';
import { frontMatter, jobParams, optionalWholeNumber, queryBoolean, wordOf } from '../common-fields.ts';
import { defineRoutes, field, okBody } from '../define-route.ts';
import { fileHeaders } from './job-file-routes.ts';

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

/** What picks a ZIP of an archive. */
const partFields = {
  part: field(
    optionalWholeNumber(1, 999_999).meta({ maximum: undefined }),
    'invalid_archive_part',
    'The number of the ZIP, if there are several; the first is 1',
  ),
  archive_id: field(
    z.string().optional().meta({ format: 'uuid' }),
    'archive_source_changed',
    'archive_id of the index: a part of another archive is refused',
  ),
  rebuild: field(queryBoolean(false), 'invalid_rebuild', '1 builds the archive again'),
};

const archiveErrorCodes = [
  'archive_part_not_found',
  'precondition_failed',
  'range_not_satisfiable',
  'archive_object_unavailable',
  'cache_read_cap',
] as const;

const zipHeaders = [...fileHeaders, 'Accept-Ranges', 'ETag', 'Repr-Digest', 'X-Archive-Expires-At'] as const;

const describeAnswers = <const Files extends readonly string[]>(what: string, files: Files) =>
  ({
    200: {
      description: `The ${what}, or the index of several ZIPs`,
      schema: archiveIndexBody,
      files,
      headers: zipHeaders,
    },
    202: {
      description: `The ${what} is being built; repeat the request without rebuild after Retry-After seconds`,
      schema: archiveQueuedBody,
      headers: ['Retry-After'],
    },
    206: {
      description: `The requested range of the ${what}`,
      files,
      headers: [...zipHeaders, 'Content-Range'],
    },
    304: { description: `If-None-Match names the current ${what}`, headers: ['ETag'] },
  }) as const;

export const jobArchiveRoutes = defineRoutes('Bulk jobs', {
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
      front_matter: frontMatter,
      ...partFields,
    },
    responses: describeAnswers('archive', ['application/zip']),
    errors: ['duplicate_archive_formats', ...archiveErrorCodes],
  },

  getJobDocument: {
    method: 'GET',
    path: '/v1/jobs/{id}/document',
    calls: [archiver.getDocument],
    access: 'key',
    scope: 'jobs',
    summary: 'Download all transcripts of an ended job as one text, or in parts for notebooks',
    params: jobParams,
    description:
      'The transcripts stand in the order of the job, below a table of contents and a list of the videos without a transcript, with the reason; each has its number as heading, Transcript 5, which all readers of Markdown link alike, its title, the address of its video, channel and day, and whether it is translated by machine. Without max_words the answer is one file. With it, it is a ZIP of numbered texts, each with its own table of contents and of at most max_words words, all that it says included, and a text that lists the missing ones: what stands between spaces is a word, in scripts without spaces two letters are, and of a word above 32 bytes each 32. A transcript is never cut, unless it alone is longer: then it goes on in further parts, cut between paragraphs, with (2 of 3) behind its title. In the format md each paragraph links to its second. Built, kept, limited and read in ranges as GET /v1/jobs/{id}/archive says, with its errors, and an index in its place if the ZIP has 80 MiB. Costs 0 credits. What a cancelled job has delivered is its document; a job that has delivered nothing is 404 document_empty.',
    query: {
      format: field(wordOf(['md', 'txt']), 'invalid_document_format', 'md or txt'),
      max_words: field(
        optionalWholeNumber(MIN_DOCUMENT_WORDS, MAX_DOCUMENT_WORDS),
        'invalid_max_words',
        'The most words of a part; without it there is one text',
      ),
      ...partFields,
    },
    responses: describeAnswers('document', ['text/markdown', 'text/plain', 'application/zip']),
    errors: archiveErrorCodes,
  },
});
