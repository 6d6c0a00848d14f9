import { createHash } from 'node:crypto';
import {
  bulkOrchestrator,
  type LanguageDelivery,
  type ManifestRow,
  routes,
  serviceError,
} from '@tds/contracts';
import { inflatedFile, isMadePerRow, languageOf } from '@tds/job-files';
import type { Objects } from '@tds/service-kit';
import { contentDisposition, contentTypes, fileExtensions, fileStem } from '@tds/transcript-format';
import type { Deps } from '../deps.ts';
import { compressible } from '../http/compression.ts';
import { jobIdOf, jobVideoIdOf } from './job-ids.ts';
import { answersOf } from './route-answer.ts';
import { onRoute } from './route-handler.ts';
import { languageHeaders } from './transcript-answers.ts';

const answers = answersOf(routes.getJobFile);
const RETRY_AFTER_SECONDS = 5;

type Job = { readonly format: keyof typeof contentTypes };

/** Throws what a row without a file is answered with. */
const deliveredLanguage = (row: ManifestRow): LanguageDelivery => {
  const language = languageOf(row);
  if (language !== null) return language;
  if (row.status === 'pending' || row.status === 'processing')
    throw serviceError('transcript_not_ready', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  const why = row.error_code === null ? row.status : `${row.status}, ${row.error_code}`;
  throw serviceError('job_video_not_found', { message: `The job has no transcript of this video: ${why}.` });
};

const unavailable = (cause?: unknown) =>
  serviceError('manifest_file_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });

const isWhatTheManifestSays = ({ format }: Job, { sha256 }: ManifestRow, file: Buffer): boolean =>
  isMadePerRow(format) || createHash('sha256').update(file).digest('hex') === sha256;

/** The very bytes whose digest stands in the manifest. */
const readFile = async (
  objects: Pick<Objects, 'getBytes'>,
  job: Job,
  row: ManifestRow,
  language: LanguageDelivery,
): Promise<Buffer> => {
  const stored = await objects.getBytes(row.object_key ?? '').catch((cause: unknown) => {
    throw unavailable(cause);
  });
  if (stored === null) throw unavailable();
  const file = await inflatedFile(job.format, { bytes: row.bytes ?? 0, language }, stored).catch(
    (cause: unknown) => {
      throw unavailable(cause);
    },
  );
  if (!isWhatTheManifestSays(job, row, file)) throw unavailable();
  return file;
};

const headersOf = ({ format }: Job, row: ManifestRow, language: LanguageDelivery) => {
  const { video_id: id, title, published_at } = row;
  const name = `${fileStem({ id, title, published_at })}.${fileExtensions[format]}`;
  return { 'Content-Disposition': contentDisposition(name), ...languageHeaders(language) };
};

/** One file of a job; counts as the read of a cached transcript. */
export const getJobFile = onRoute(
  routes.getJobFile,
  async ({ call, objects, reads }: Pick<Deps, 'call' | 'objects' | 'reads'>, input) => {
    const { principal } = input;
    const asked = { accountId: principal.accountId, jobId: jobIdOf(input), videoId: jobVideoIdOf(input) };
    const { job, row } = await call(bulkOrchestrator.getJobFile, asked, input.callContext);
    const language = deliveredLanguage(row);
    const file = await readFile(objects, job, row, language);
    await reads.count(principal);
    const headers = headersOf(job, row, language);
    return compressible(answers.composed(contentTypes[job.format], file, { headers, cache: 'HIT' }));
  },
);
