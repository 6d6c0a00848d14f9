import {
  bulkOrchestrator,
  type JobSummary as Job,
  type JobSummary,
  type LanguageDelivery,
  type ManifestRow,
  type RequestOf,
  serviceError,
  transcriptFetcher,
  type WantedTranscript,
} from '@tds/contracts';
import { routes } from '@tds/http-api';
import {
  deliveredDigests,
  inflatedFile,
  languageOf,
  manifestCsv,
  manifestEntries,
  type ReadAll,
  type StoredRow,
} from '@tds/job-files';
import { contentDisposition, contentTypes, fileExtensions, fileStem } from '@tds/transcript-format';
import type { Deps } from '../deps.ts';
import { compressible } from '../http/compression.ts';
import { jobIdOf, jobVideoIdOf } from './jobs.ts';
import { answersOf } from './route-answer.ts';
import { type CallContext, onRoute } from './route-handler.ts';
import { languageHeaders } from './transcript-answers.ts';

/**
 * Has files that the object store has lost made again of their cues; where these are lost as well, they are fetched again, and there
 * for who comes later. False if nobody can make any now.
 */
const renderLost = async (
  call: Deps['call'],
  wanted: RequestOf<typeof transcriptFetcher.renderTranscripts>,
  context: CallContext,
): Promise<boolean> => {
  try {
    const { rows } = await call(transcriptFetcher.renderTranscripts, wanted, context);
    return rows.some(({ state }) => state === 'rendered');
  } catch {
    // The files are lost now as they were before, and whoever reads them is told that.
    return false;
  }
};

type Stored = { readonly objectKey: string; readonly transcript: WantedTranscript };

/** What the row of a job was delivered for: null if it was not. */
const wantedOf = (row: ManifestRow, { fallback }: Pick<Job, 'fallback'>): WantedTranscript | null =>
  row.transcript_id === null
    ? null
    : { transcriptId: row.transcript_id, videoId: row.video_id, language: row.requested_language, fallback };

/** Reads files of jobs; what is lost is made again before it is missed, unless that could not be done for those before it. */
const mendingReader = (
  { call, objects }: Pick<Deps, 'call' | 'objects'>,
  format: RequestOf<typeof transcriptFetcher.renderTranscripts>['format'],
  files: readonly Stored[],
  context: CallContext,
): ReadAll => {
  const transcriptOf = new Map(files.map(({ objectKey, transcript }) => [objectKey, transcript]));
  let canRender = true;
  return async (keys) => {
    const found = await objects.getAll(keys);
    const lost = keys.filter((key) => !found.has(key));
    if (lost.length === 0 || !canRender) return found;
    const transcripts = lost.flatMap((key) => transcriptOf.get(key) ?? []);
    canRender = await renderLost(call, { format, transcripts }, context);
    return canRender ? new Map([...found, ...(await objects.getAll(lost))]) : found;
  };
};

const answers = answersOf(routes.getJobFile);
const RETRY_AFTER_SECONDS = 5;
const MS = 1_000;

type JobGetJobFile = Pick<JobSummary, 'format' | 'fallback'>;

const waits = {
  broadcast:
    'The broadcast is not over, or not recorded yet: the video is tried again when next_attempt_at says.',
  retry: 'The video has failed for now, and is tried again when next_attempt_at says.',
} as const;

/** Nothing has failed: there is no file yet, and it is known when to look again. */
const notYet = ({ waiting_for, next_attempt_at }: ManifestRow, now: Date) => {
  const waitMs = next_attempt_at === null ? 0 : Date.parse(next_attempt_at) - now.getTime();
  return serviceError('transcript_not_ready', {
    errorClass: 'NoCaptions',
    retryable: true,
    retryAfterSeconds: Math.max(RETRY_AFTER_SECONDS, Math.ceil(waitMs / MS)),
    message: waiting_for === null ? 'The video is in line or being fetched.' : waits[waiting_for],
  });
};

/** Throws what a row without a file is answered with. */
const deliveredLanguage = (row: ManifestRow, now: Date): LanguageDelivery => {
  const language = languageOf(row);
  if (language !== null) return language;
  if (row.status === 'pending' || row.status === 'processing') throw notYet(row, now);
  const why = row.error_code === null ? row.status : `${row.status}, ${row.error_code}`;
  throw serviceError('job_video_not_found', { message: `The job has no transcript of this video: ${why}.` });
};

const unavailable = (cause?: unknown) =>
  serviceError('manifest_file_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });

type Parts = Pick<Deps, 'call' | 'objects' | 'reads' | 'now'>;

/** As it is stored; made again where it is lost. */
const readStored = async (
  { call, objects }: Parts,
  job: JobGetJobFile,
  row: ManifestRow,
  context: CallContext,
): Promise<Buffer | null> => {
  const wanted = wantedOf(row, job);
  if (row.object_key === null || wanted === null) return null;
  const stored = await objects.getBytes(row.object_key);
  if (stored !== null) return stored;
  const isMended = await renderLost(call, { format: job.format, transcripts: [wanted] }, context);
  return isMended ? await objects.getBytes(row.object_key) : null;
};

/** The very bytes whose digest stands in the manifest. */
const readFile = async (
  parts: Parts,
  job: JobGetJobFile,
  row: ManifestRow,
  context: CallContext,
): Promise<{ file: Buffer; language: LanguageDelivery }> => {
  const language = deliveredLanguage(row, parts.now());
  try {
    const stored = await readStored(parts, job, row, context);
    if (stored === null) throw unavailable();
    const { bytes, sha256 } = row;
    const file = await inflatedFile(
      job.format,
      { bytes: bytes ?? 0, sha256: sha256 ?? '', language },
      stored,
    );
    return { file, language };
  } catch (cause) {
    throw unavailable(cause);
  }
};

const headersOf = ({ format }: JobGetJobFile, row: ManifestRow, language: LanguageDelivery) => {
  const { video_id: id, title, published_at } = row;
  const name = `${fileStem({ id, title, published_at })}.${fileExtensions[format]}`;
  return { 'Content-Disposition': contentDisposition(name), ...languageHeaders(language) };
};

/** One file of a job; counts as the read of a cached transcript. */
const getJobFile = onRoute(routes.getJobFile, async (parts: Parts, input) => {
  const { principal, callContext } = input;
  const asked = { accountId: principal.accountId, jobId: jobIdOf(input), videoId: jobVideoIdOf(input) };
  const { job, row } = await parts.call(bulkOrchestrator.getJobFile, asked, callContext);
  const { file, language } = await readFile(parts, job, row, callContext);
  await parts.reads.count(principal);
  const headers = headersOf(job, row, language);
  return compressible(answers.composed(contentTypes[job.format], file, { headers, cache: 'HIT' }));
});

const answersGetJobManifest = answersOf(routes.getJobManifest);

type StoredFile = StoredRow & { readonly transcript: WantedTranscript };

const storedIn =
  (job: JobSummary) =>
  (row: ManifestRow): StoredFile[] => {
    const { video_id: videoId, object_key: objectKey, bytes, sha256 } = row;
    const [language, transcript] = [languageOf(row), wantedOf(row, job)];
    if (language === null || objectKey === null || transcript === null) return [];
    return bytes === null || sha256 === null
      ? []
      : [{ videoId, language, objectKey, transcript, bytes, sha256 }];
  };

/** The manifest as it is now, also of a job that is under way. */
const getJobManifest = onRoute(
  routes.getJobManifest,
  async (parts: Pick<Deps, 'call' | 'objects'>, input) => {
    const { principal, callContext } = input;
    const asked = { accountId: principal.accountId, jobId: jobIdOf(input) };
    const { job, rows } = await parts.call(bulkOrchestrator.getJobManifest, asked, callContext);
    const { id: job_id, monitor_id, name, metadata, status, format } = job;
    const files = rows.flatMap(storedIn(job));
    const read = mendingReader(parts, format, files, callContext);
    const digests = await deliveredDigests(format, files, read);
    const entries = manifestEntries(rows, { format, digests });
    if (input.query.format === 'csv') {
      const headers = { 'Content-Disposition': `attachment; filename="manifest_${job_id}.csv"` };
      return compressible(
        answersGetJobManifest.composed('text/csv; charset=utf-8', manifestCsv(entries), { headers }),
      );
    }
    return compressible(
      answersGetJobManifest.json({ job_id, monitor_id, name, metadata, status, format, rows: entries }),
    );
  },
);

export const jobFileRoutes = { getJobManifest, getJobFile };
