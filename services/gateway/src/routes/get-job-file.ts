import {
  bulkOrchestrator,
  type JobSummary,
  type LanguageDelivery,
  type ManifestRow,
  routes,
  serviceError,
} from '@tds/contracts';
import { inflatedFile, languageOf } from '@tds/job-files';
import { contentDisposition, contentTypes, fileExtensions, fileStem } from '@tds/transcript-format';
import type { Deps } from '../deps.ts';
import { compressible } from '../http/compression.ts';
import { jobIdOf, jobVideoIdOf } from './job-ids.ts';
import { renderLost, wantedOf } from './lost-files.ts';
import { answersOf } from './route-answer.ts';
import { type CallContext, onRoute } from './route-handler.ts';
import { languageHeaders } from './transcript-answers.ts';

const answers = answersOf(routes.getJobFile);
const RETRY_AFTER_SECONDS = 5;
const MS = 1_000;

type Job = Pick<JobSummary, 'format' | 'fallback'>;

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
  job: Job,
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
  job: Job,
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

const headersOf = ({ format }: Job, row: ManifestRow, language: LanguageDelivery) => {
  const { video_id: id, title, published_at } = row;
  const name = `${fileStem({ id, title, published_at })}.${fileExtensions[format]}`;
  return { 'Content-Disposition': contentDisposition(name), ...languageHeaders(language) };
};

/** One file of a job; counts as the read of a cached transcript. */
export const getJobFile = onRoute(routes.getJobFile, async (parts: Parts, input) => {
  const { principal, callContext } = input;
  const asked = { accountId: principal.accountId, jobId: jobIdOf(input), videoId: jobVideoIdOf(input) };
  const { job, row } = await parts.call(bulkOrchestrator.getJobFile, asked, callContext);
  const { file, language } = await readFile(parts, job, row, callContext);
  await parts.reads.count(principal);
  const headers = headersOf(job, row, language);
  return compressible(answers.composed(contentTypes[job.format], file, { headers, cache: 'HIT' }));
});
