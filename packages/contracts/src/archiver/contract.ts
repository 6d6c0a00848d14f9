import { z } from 'zod';
import { commands, defineContract } from '../contract/define-contract.ts';
import { ARCHIVE_WAIT_MS, HOPS_MS, MINUTE_MS } from '../deadlines.ts';
import { uuid } from '../ids.ts';
import { tier } from '../principal.ts';
import { transcriptFormat, transcriptFormats } from '../transcript.ts';

/** Above the ZIPs that a job's files in all formats can fill. */
const MAX_PARTS_PER_ARCHIVE = 1_000;
const MAX_OBJECT_KEY_LENGTH = 200;

const formats = z.array(transcriptFormat).max(transcriptFormats.length);

const archivePart = z.object({
  part: z.number().int().positive(),
  /** Key of the ZIP in the object store. */
  objectKey: z.string().max(MAX_OBJECT_KEY_LENGTH),
  bytes: z.number().int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ArchivePart = z.infer<typeof archivePart>;

/** What every request for an archive says. */
const archiveRequest = {
  accountId: uuid,
  jobId: uuid,
  /** Builds it again, unless a build is running. */
  rebuild: z.boolean(),
  /** Rejects with `not_cached` instead of building. */
  startsNothing: z.boolean(),
  tier,
  waitMs: z.number().int().nonnegative().max(ARCHIVE_WAIT_MS),
};
const archiveReply = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('ready'),
    archiveId: uuid,
    formats,
    parts: z.array(archivePart).min(1).max(MAX_PARTS_PER_ARCHIVE),
    expiresAt: z.iso.datetime(),
  }),
  z.object({ state: z.literal('queued'), archiveId: uuid }),
]);
const archiveErrors = [
  'job_not_found',
  'archive_job_not_ready',
  'archive_source_changed',
  'archive_failed',
  'archive_cap',
  'not_cached',
] as const;

/** Of a part of a document. Below, its head and its table of contents would be most of it. */
export const MIN_DOCUMENT_WORDS = 1_000;
export const MAX_DOCUMENT_WORDS = 1_000_000;

/** ZIPs and documents of jobs' transcripts. */
export const archiver = defineContract('archiver', {
  objects: { archives: 'ZIPs and documents' },
  commands: commands({
    /**
     * Returns the archive of an ended job, or builds it once for all callers. Free. An unchanged job always gives the same bytes.
     * Builds per day and kept bytes are limited.
     */
    getArchive: {
      request: z.object({
        ...archiveRequest,
        /** Default: the format of the job. */
        formats,
        /** With front matter in md, which must be one of the formats. */
        frontMatter: z.boolean().optional(),
      }),
      reply: archiveReply,
      errors: [...archiveErrors, 'invalid_front_matter'],
      timeoutMs: ARCHIVE_WAIT_MS + HOPS_MS,
    },

    /**
     * Returns all delivered transcripts of an ended job in one text, or with `maxWords` in a ZIP of numbered texts. It is built, kept and
     * limited as an archive.
     */
    getDocument: {
      request: z.object({
        ...archiveRequest,
        format: transcriptFormat.extract(['md', 'clean']),
        maxWords: z.number().int().min(MIN_DOCUMENT_WORDS).max(MAX_DOCUMENT_WORDS).nullable(),
      }),
      reply: archiveReply,
      errors: [...archiveErrors, 'document_empty'],
      timeoutMs: ARCHIVE_WAIT_MS + HOPS_MS,
    },
  }),
  tasks: {
    /** Builds one archive. An instance that takes the task over starts again, under keys of its own. */
    buildArchive: {
      payload: z.object({ archiveId: uuid, accountId: uuid }),
      // Renewed while it runs, so this is how soon a killed worker's build is taken over.
      leaseMs: 10_000,
      // Specification, part 3: after these the archive has failed.
      backoffMs: [MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS],
      concurrency: 2,
      timeLimitMs: 10 * MINUTE_MS,
    },
  },
});
