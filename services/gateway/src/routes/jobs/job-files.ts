import {
  bulkOrchestrator,
  type JobSummary,
  type LanguageDelivery,
  type ManifestRow,
  type ReplyOf,
  type RequestOf,
  transcriptFetcher,
  type WantedTranscript,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import {
  computeDigests,
  type DeliveredFile,
  inflateFile,
  languageOf,
  manifestCsv,
  manifestEntries,
  type ReadAll,
  toNote,
} from '@tds/job-files';
import { contentDisposition, contentTypes, fileExtensions, fileStem } from '@tds/transcript-format';
import { asCompressible, JSON_TYPE } from '../../wire/index.ts';
import { type CallContext, createAnswers, type Input, onRoute, type RouteDeps } from '../serve/index.ts';
import { frontMatterFault, languageHeaders, passageSize } from '../transcripts/index.ts';

type RenderedRow = Extract<
  ReplyOf<typeof transcriptFetcher.renderTranscripts>['rows'][number],
  { state: 'rendered' }
>;

/**
 * Asks the fetcher to render lost files again from their cues, or to fetch them again for later readers if the cues are
 * lost, too. Returns those that can be rendered now.
 */
const renderAgain = async (
  call: RouteDeps['call'],
  request: RequestOf<typeof transcriptFetcher.renderTranscripts>,
  context: CallContext,
): Promise<readonly RenderedRow[]> => {
  try {
    const { rows } = await call(transcriptFetcher.renderTranscripts, request, context);
    return rows.flatMap((row) => (row.state === 'rendered' ? row : []));
  } catch {
    // The files stay lost, and the reader gets that error.
    return [];
  }
};

type RenderedFile = { readonly objectKey: string; readonly transcript: WantedTranscript };

/** The transcript that a job row was delivered for; null if it was not delivered. */
const toWantedTranscript = (
  row: ManifestRow,
  { fallback }: Pick<JobSummary, 'fallback'>,
): WantedTranscript | null =>
  row.transcript_id === null
    ? null
    : { transcriptId: row.transcript_id, videoId: row.video_id, language: row.requested_language, fallback };

/** Reads files of jobs and has lost ones rendered again, until a rendering fails. */
const createFileReader = (
  { call, objects }: Pick<RouteDeps, 'call' | 'objects'>,
  format: RequestOf<typeof transcriptFetcher.renderTranscripts>['format'],
  files: readonly RenderedFile[],
  context: CallContext,
): ReadAll => {
  const transcriptByKey = new Map(files.map(({ objectKey, transcript }) => [objectKey, transcript]));
  let canRender = true;
  return async (keys) => {
    const contents = await objects.getAll(keys);
    const missingKeys = keys.filter((key) => !contents.has(key));
    if (missingKeys.length === 0 || !canRender) return contents;
    const transcripts = missingKeys.flatMap((key) => transcriptByKey.get(key) ?? []);
    canRender = (await renderAgain(call, { format, transcripts }, context)).length > 0;
    return canRender ? new Map([...contents, ...(await objects.getAll(missingKeys))]) : contents;
  };
};

const fileAnswers = createAnswers(routes.getJobFile);
const RETRY_AFTER_SECONDS = 5;
const MS = 1_000;

type FileJob = Pick<JobSummary, 'format' | 'fallback'>;

const waitMessages = {
  broadcast:
    'The video has no captions yet, as new ones and broadcasts: it is tried again when next_attempt_at says.',
  retry: 'The video has failed for now, and is tried again when next_attempt_at says.',
} as const;

/** The file does not exist yet; the answer says when to look again. */
const notReadyError = ({ waiting_for, next_attempt_at }: ManifestRow, now: Date) => {
  const waitMs = next_attempt_at === null ? 0 : Date.parse(next_attempt_at) - now.getTime();
  return serviceError('transcript_not_ready', {
    errorClass: 'NoCaptions',
    retryable: true,
    retryAfterSeconds: Math.max(RETRY_AFTER_SECONDS, Math.ceil(waitMs / MS)),
    message: waiting_for === null ? 'The video is in line or being fetched.' : waitMessages[waiting_for],
  });
};

/** Throws the error for a row without a file. */
const deliveredLanguage = (row: ManifestRow, now: Date): LanguageDelivery => {
  const language = languageOf(row);
  if (language !== null) return language;
  if (row.status === 'pending' || row.status === 'processing') throw notReadyError(row, now);
  const reason = row.error_code === null ? row.status : `${row.status}, ${row.error_code}`;
  throw serviceError('job_video_not_found', {
    message: `The job has no transcript of this video: ${reason}.`,
  });
};

const unavailable = (cause?: unknown) =>
  serviceError('manifest_file_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });

/** The stored file, rendered again if it is lost. */
const readStored = async (
  { call, objects }: RouteDeps,
  job: FileJob,
  row: ManifestRow,
  context: CallContext,
): Promise<Buffer | null> => {
  const transcript = toWantedTranscript(row, job);
  if (row.object_key === null || transcript === null) return null;
  const stored = await objects.getBytes(row.object_key);
  if (stored !== null) return stored;
  const [mended] = await renderAgain(call, { format: job.format, transcripts: [transcript] }, context);
  return mended ? await objects.getBytes(row.object_key) : null;
};

/** The bytes whose digest is in the manifest. */
const readFile = async (
  deps: RouteDeps,
  job: FileJob,
  row: ManifestRow,
  { callContext: context, query }: Input<typeof routes.getJobFile>,
): Promise<{ file: Buffer; language: LanguageDelivery }> => {
  const language = deliveredLanguage(row, deps.now());
  try {
    const stored = await readStored(deps, job, row, context);
    if (stored === null) throw unavailable();
    const { bytes, sha256 } = row;
    const note = query.front_matter ? toNote(row) : undefined;
    const delivered = { bytes: bytes ?? 0, sha256: sha256 ?? '', language, note };
    const file = await inflateFile(job.format, delivered, stored);
    return { file, language };
  } catch (cause) {
    throw unavailable(cause);
  }
};

/** The file with the times of words, which a job does not store; null if there is none now: passages then end between captions. */
const readWords = async (
  { call, objects }: RouteDeps,
  transcript: WantedTranscript | null,
  language: LanguageDelivery,
  context: CallContext,
): Promise<Buffer | null> => {
  if (transcript === null) return null;
  const [file] = await renderAgain(call, { format: 'words', transcripts: [transcript] }, context);
  const stored = file && (await objects.getBytes(file.objectKey));
  return stored ? await inflateFile('json', { ...file, language }, stored).catch(() => null) : null;
};

const toHeaders = ({ format }: FileJob, row: ManifestRow, language: LanguageDelivery) => {
  const { video_id: id, title, published_at } = row;
  const name = `${fileStem({ id, title, published_at })}.${fileExtensions[format]}`;
  return { 'Content-Disposition': contentDisposition(name), ...languageHeaders(language) };
};

/** One file of a job; counts as a cache read. */
const getJobFile = onRoute(routes.getJobFile, async (deps, input) => {
  const { principal, params, callContext } = input;
  const request = { accountId: principal.accountId, ...params };
  const { job, row } = await deps.call(bulkOrchestrator.getJobFile, request, callContext);
  const size = passageSize(input.query, job.format === 'json' ? null : 'a job with the format json');
  const fault = frontMatterFault(input.query.front_matter, job.format);
  if (fault !== null) throw fault;
  const { file, language } = await readFile(deps, job, row, input);
  await deps.reads.count(principal);
  if (size !== null) {
    // The row knows neither the chapters, which begin passages, nor the times of words.
    const [{ video }, wordFile] = await Promise.all([
      deps.call(transcriptFetcher.getVideoFacts, { videoId: row.video_id }, callContext),
      readWords(deps, toWantedTranscript(row, job), language, callContext),
    ]);
    const track = { file: wordFile ?? file, language: language.delivered, video };
    const members = await deps.passages.list({ ...track, maxCharacters: size, words: false });
    const parts = ['{"ok":true,"format":"json",', members, '}'];
    const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
    return asCompressible(
      fileAnswers.composed(JSON_TYPE, body, { headers: languageHeaders(language), cache: 'HIT' }),
    );
  }
  const headers = toHeaders(job, row, language);
  return asCompressible(fileAnswers.composed(contentTypes[job.format], file, { headers, cache: 'HIT' }));
});

const manifestAnswers = createAnswers(routes.getJobManifest);

type StoredFile = DeliveredFile & { readonly transcript: WantedTranscript };

const toStoredFiles =
  (job: JobSummary) =>
  (row: ManifestRow): StoredFile[] => {
    const { video_id: videoId, object_key: objectKey, bytes, sha256 } = row;
    const [language, transcript] = [languageOf(row), toWantedTranscript(row, job)];
    if (language === null || objectKey === null || transcript === null) return [];
    return bytes === null || sha256 === null
      ? []
      : [{ videoId, language, objectKey, transcript, bytes, sha256 }];
  };

/** The current manifest, also of a running job. */
const getJobManifest = onRoute(routes.getJobManifest, async (deps, input) => {
  const { principal, params, callContext } = input;
  const request = { accountId: principal.accountId, ...params };
  const { job, rows } = await deps.call(bulkOrchestrator.getJobManifest, request, callContext);
  const { id: job_id, monitor_id, name, metadata, omitted, status, format } = job;
  const files = rows.flatMap(toStoredFiles(job));
  const read = createFileReader(deps, format, files, callContext);
  const digests = await computeDigests(format, files, read);
  const entries = manifestEntries(rows, { format, digests });
  if (input.query.format === 'csv') {
    const headers = {
      'Content-Disposition': `attachment; filename="manifest_${job_id}.csv"`,
      'X-Is-Complete': String(omitted === 0),
    };
    return asCompressible(
      manifestAnswers.composed('text/csv; charset=utf-8', manifestCsv(entries, omitted), { headers }),
    );
  }
  return asCompressible(
    manifestAnswers.json({ job_id, monitor_id, name, metadata, omitted, status, format, rows: entries }),
  );
});

export const jobFileRoutes = { getJobManifest, getJobFile };
