import { pipeline, type Readable } from 'node:stream';
import {
  ARCHIVE_WAIT_MS,
  type ArchivePart,
  archiver,
  type ReplyOf,
  type TranscriptFormat,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { routes } from '@tds/http-api';
import { isKnown, listsTag } from '../../domain/entity-tags.ts';
import { type AnswerTo, createAnswers, type Input, onRoute, type RouteDeps } from '../serve/index.ts';

/** From `start` to `end`, both included. */
type ByteRange = { readonly start: number; readonly end: number };

const oneRange = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * Parses a Range header for a body of `size` bytes (RFC 9110, section 14). Null means the whole body, also for anything
 * but a single byte range, which servers may ignore; `unsatisfiable` if it begins after the end.
 */
export const parseRange = (header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null => {
  const [, first = '', last = ''] = oneRange.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const suffix = Number(last);
    return suffix === 0 ? 'unsatisfiable' : { start: Math.max(0, size - suffix), end: size - 1 };
  }
  const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)];
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
};

type ArchiveRoute = typeof routes.getJobArchive;
type DocumentRoute = typeof routes.getJobDocument;
type ReadyArchive = Extract<ReplyOf<typeof archiver.getArchive>, { state: 'ready' }>;

const [fullAnswers, queuedAnswers, partialAnswers, unchangedAnswers] = [
  createAnswers(routes.getJobArchive, 200),
  createAnswers(routes.getJobArchive, 202),
  createAnswers(routes.getJobArchive, 206),
  createAnswers(routes.getJobArchive, 304),
];
const RETRY_AFTER_SECONDS = 5;
const ZIP = 'application/zip';

/** Empty for the job's own format. Throws `duplicate_archive_formats`. */
const readFormats = ({ format, formats }: Input<ArchiveRoute>['query']): TranscriptFormat[] => {
  const requestedFormats = format ?? formats ?? [];
  if ((format && formats) || new Set(requestedFormats).size < requestedFormats.length)
    throw serviceError('duplicate_archive_formats');
  return requestedFormats;
};

/** An archive as one route answers it. */
type Download = {
  readonly jobId: string;
  readonly path: string;
  /** The query of an address of a part. */
  readonly search: Readonly<Record<string, string>>;
  readonly extension: string;
  readonly contentType: string;
};
type PartInput = Pick<Input<ArchiveRoute>, 'headers' | 'isHead' | 'principal'> & {
  readonly query: Pick<Input<ArchiveRoute>['query'], 'part' | 'archive_id'>;
};

const toIndex = ({ jobId, path, search }: Download, { archiveId, formats, expiresAt, parts }: ReadyArchive) => {
  // Commas stay as they are.
  const common = decodeURIComponent(String(new URLSearchParams({ ...search, archive_id: archiveId })));
  return {
    status: 'ready' as const,
    job_id: jobId,
    archive_id: archiveId,
    formats,
    expires_at: expiresAt,
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    parts: parts.map(({ part, bytes, sha256 }) => ({
      part,
      url: `${path.replace('{id}', jobId)}?${common}&part=${part}`,
      bytes,
      sha256,
    })),
  };
};

/** The requested range if it applies to this very ZIP. Throws `range_not_satisfiable`. */
const readRange = ({ headers, isHead }: PartInput, { bytes }: ArchivePart, etag: string): ByteRange | null => {
  if (isHead) return null;
  if (headers['if-range'] !== undefined && headers['if-range'] !== etag) return null;
  const range = parseRange(headers.range, bytes);
  if (range === 'unsatisfiable') throw serviceError('range_not_satisfiable', { extras: { bytes } });
  return range;
};

/** Whether the caller has these bytes already. Throws `precondition_failed` if it requires others. */
const hasAlready = ({ headers }: PartInput, etag: string): boolean => {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch !== undefined && !listsTag(ifMatch, etag)) throw serviceError('precondition_failed');
  return isKnown(ifNoneMatch, etag);
};

const openObject = async (
  { objects }: RouteDeps,
  { objectKey }: ArchivePart,
  range: ByteRange | null,
): Promise<Readable> => {
  const bytes = range && { start: range.start, bytes: range.end - range.start + 1 };
  const stream = await objects.get(objectKey, bytes ?? undefined).catch((cause: unknown) => {
    throw serviceError('archive_object_unavailable', { cause });
  });
  if (stream === null)
    throw serviceError('archive_object_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  return stream;
};

/** Streams from the object store. A client that leaves ends the read; a read that fails cuts the answer short. */
const streamZip =
  (stream: Readable) =>
  (response: NodeJS.WritableStream): void => {
    pipeline(stream, response, () => undefined);
  };

const zipAnswer = async (
  deps: RouteDeps,
  input: PartInput,
  part: ArchivePart,
  { fileName, contentType, expiresAt }: Readonly<Record<'fileName' | 'contentType' | 'expiresAt', string>>,
): Promise<AnswerTo<ArchiveRoute>> => {
  const etag = `"${part.sha256}"`;
  if (hasAlready(input, etag)) return unchangedAnswers.empty({ headers: { ETag: etag } });
  const range = readRange(input, part, etag);
  const headers = {
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'Accept-Ranges': 'bytes',
    ETag: etag,
    'Repr-Digest': `sha-256=:${Buffer.from(part.sha256, 'hex').toString('base64')}:`,
    'X-Archive-Expires-At': expiresAt,
  };
  const stream = input.isHead ? null : await openObject(deps, part, range);
  const send = stream ? streamZip(stream) : () => undefined;
  try {
    if (stream) await deps.reads.count(input.principal);
  } catch (error) {
    stream?.destroy();
    throw error;
  }
  const type = contentType as typeof ZIP;
  if (range === null) return fullAnswers.streamed(type, send, { headers, cache: 'HIT', bytes: part.bytes });
  const { start, end } = range;
  return partialAnswers.streamed(type, send, {
    headers: { ...headers, 'Content-Range': `bytes ${start}-${end}/${part.bytes}` },
    cache: 'HIT',
    bytes: end - start + 1,
  });
};

const answerArchive = async (
  deps: RouteDeps,
  input: PartInput,
  reply: ReplyOf<typeof archiver.getArchive>,
  download: Download,
): Promise<AnswerTo<ArchiveRoute>> => {
  const { archiveId } = reply;
  const { query } = input;
  const { jobId, extension, contentType } = download;
  if (reply.state === 'queued') {
    const headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
    return queuedAnswers.json({ status: 'queued', job_id: jobId, archive_id: archiveId }, { headers });
  }
  if (query.archive_id !== undefined && query.archive_id.toLowerCase() !== archiveId)
    throw serviceError('archive_source_changed');
  if (query.part === undefined && reply.parts.length > 1) return fullAnswers.json(toIndex(download, reply));
  const part = reply.parts[(query.part ?? 1) - 1];
  if (part === undefined) throw serviceError('archive_part_not_found');
  const name = reply.parts.length > 1 ? `job_${jobId}_part_${part.part}` : `job_${jobId}`;
  const file = { fileName: `${name}.${extension}`, contentType, expiresAt: reply.expiresAt };
  return zipAnswer(deps, input, part, file);
};

/** Its caller, and what is to be done: the fields that both commands have. */
const toRequest = ({ query, principal, params, isHead }: Input<ArchiveRoute> | Input<DocumentRoute>) => ({
  accountId: principal.accountId,
  tier: principal.tier,
  jobId: params.jobId,
  rebuild: query.rebuild,
  startsNothing: isHead,
  waitMs: isHead ? 0 : ARCHIVE_WAIT_MS,
});

/** A ZIP, the index of several ZIPs, or 202 while it is being built. */
export const getJobArchive = onRoute(routes.getJobArchive, async (deps, input) => {
  const { query, params, callContext } = input;
  const { front_matter: frontMatter } = query;
  const request = { ...toRequest(input), formats: readFormats(query), frontMatter };
  const reply = await deps.call(archiver.getArchive, request, callContext);
  const formats = reply.state === 'ready' ? reply.formats.join(',') : '';
  return answerArchive(deps, input, reply, {
    ...{ jobId: params.jobId, path: routes.getJobArchive.path, extension: 'zip', contentType: ZIP },
    search: { formats, ...(frontMatter && { front_matter: 'true' }) },
  });
});

const texts = { md: 'text/markdown; charset=utf-8', txt: 'text/plain; charset=utf-8' } as const;

/** The text, or the ZIP of its parts. */
export const getJobDocument = onRoute(routes.getJobDocument, async (deps, input) => {
  const { params, callContext } = input;
  const { format, max_words: maxWords } = input.query;
  const request = {
    format: format === 'md' ? ('md' as const) : ('clean' as const),
    maxWords: maxWords ?? null,
  };
  const reply = await deps.call(archiver.getDocument, { ...toRequest(input), ...request }, callContext);
  const isText = maxWords === undefined;
  const answer = await answerArchive(deps, input, reply, {
    ...{ jobId: params.jobId, path: routes.getJobDocument.path },
    ...{ extension: isText ? format : 'zip', contentType: isText ? texts[format] : ZIP },
    search: { format, ...(maxWords !== undefined && { max_words: String(maxWords) }) },
  });
  // Both rows describe the same answers but for the types of their files.
  return answer as unknown as AnswerTo<DocumentRoute>;
});
