import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import { type ArchivePart, bulkOrchestrator, type ReplyOf, type TranscriptFormat } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import {
  type ArchiveFormat,
  archiveFolder,
  archiveHead,
  computeDigests,
  type DeliveredFile,
  type DocumentFormat,
  type DocumentVideo,
  documentParts,
  documentText,
  documentTitle,
  fileDay,
  formatRoot,
  inflateFile,
  isMadePerRow,
  languageOf,
  type NotedVideo,
  outputFiles,
  toGroups,
  toNote,
  type ZipEntry,
  zipParts,
} from '@tds/job-files';
import type { CallContext } from '@tds/kit';
import { crashPoint } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { type Archive, digestContents } from '../domain/archive.ts';
import { saveObject } from '../store/archives.ts';
import { findOwnFiles, findStoredFiles, listTranscripts, type StoredFile } from './stored-files.ts';

const deflate = promisify(deflateRaw);

type Manifest = ReplyOf<typeof bulkOrchestrator.getJobManifest>;

/** One file of an archive, not read yet. */
type ArchiveFile = DeliveredFile &
  StoredFile & {
    /** Path in the archive. */
    readonly name: string;
    readonly format: TranscriptFormat;
    /** Of the video. */
    readonly day: string;
    readonly video: NotedVideo;
  };

type PreparedFormat = Omit<ArchiveFormat, 'digests'> & Pick<Archive, 'kind'>;

/** The files of a job in one format, in the order of its rows. */
const toArchiveFiles = (
  { job, rows }: Manifest,
  { format, root, kind }: PreparedFormat,
  stored: ReadonlyMap<string, StoredFile>,
): ArchiveFile[] => {
  const names = outputFiles(rows, format);
  return rows.flatMap((row) => {
    const [name, language] = [names.get(row.video_id), languageOf(row)];
    const file = stored.get(row.transcript_id ?? '');
    if (name === undefined || language === null || file === undefined) return [];
    const video = toNote(row);
    const path = { name: `${root}${name}`, day: fileDay(job, row) };
    const note = kind === 'notes' ? video : undefined;
    return [{ ...file, ...path, videoId: row.video_id, video, note, format, language }];
  });
};

/** A file of the archive is missing in the object store. */
const lostSourceError = (objectKey: string) =>
  serviceError('archive_source_unavailable', { cause: `object ${objectKey} is lost` });

/** The stored bytes, unless the format differs per row or the checksum is unknown: then the file is inflated. */
const buildEntry = async (file: ArchiveFile, stored: Buffer): Promise<ZipEntry> => {
  const { name, format, bytes, day } = file;
  if (!isMadePerRow(format) && file.crc32 !== null)
    return { name, data: stored, bytes, crc32: file.crc32, day };
  const content = await inflateFile(format, file, stored);
  const data = isMadePerRow(format) ? await deflate(content) : stored;
  return { name, data, bytes: content.length, crc32: crc32(content), day };
};

/**
 * What `build` makes of each file. Reads the next files while some are packed.
 */
async function* buildEach<Built>(
  { objects }: Deps,
  files: readonly ArchiveFile[],
  build: (file: ArchiveFile, stored: Buffer) => Promise<Built>,
): AsyncGenerator<Built> {
  const groups = [...toGroups(files)].values();
  const readNext = () => {
    const { value: group } = groups.next();
    if (!group) return null;
    const read = objects.getAll(group.map(({ objectKey }) => objectKey));
    // Awaited in the next round, unless this one fails.
    read.catch(() => undefined);
    return { group, read };
  };
  for (let next = readNext(); next !== null; ) {
    const { group, read } = next;
    const stored = await read;
    next = readNext();
    for (const file of group) {
      const data = stored.get(file.objectKey);
      if (data === undefined) throw lostSourceError(file.objectKey);
      yield await build(file, data);
    }
  }
}

type FormatContents = PreparedFormat & { readonly files: readonly ArchiveFile[] };

/** The files of one format. */
const prepareFormat = async (deps: Deps, manifest: Manifest, prepared: PreparedFormat, caller: CallContext) => {
  const { job, rows } = manifest;
  const { format } = prepared;
  const stored = await (format === job.format
    ? findOwnFiles(deps, rows, job, caller)
    : findStoredFiles(deps, listTranscripts(rows, job), format, caller));
  return { ...prepared, files: toArchiveFiles(manifest, prepared, stored) };
};

/** ZIPs of files, which their manifests describe. */
const zipFiles = async (
  deps: Deps,
  manifest: Manifest,
  folder: string,
  contents: readonly FormatContents[],
) => {
  const formats: ArchiveFormat[] = [];
  for (const { format, root, files } of contents)
    formats.push({ format, root, digests: await computeDigests(format, files, deps.objects.getAll) });
  const all = contents.flatMap(({ files }) => files);
  const files = buildEach(deps, all, buildEntry);
  return zipParts({ head: archiveHead(manifest, folder, formats), files, limitBytes: deps.partBytes });
};

const toDocumentVideo = ({ video, language }: ArchiveFile): DocumentVideo => ({
  ...{ ...video, isTranslated: language.translation === 'served' },
});

const buildText = async (file: ArchiveFile, stored: Buffer) => ({
  ...{ video: toDocumentVideo(file), file: (await inflateFile(file.format, file, stored)).toString() },
});

/** One text, or ZIPs of numbered texts. */
const documentFiles = (
  deps: Deps,
  { maxWords }: Archive,
  { job, rows }: Manifest,
  { format, files }: FormatContents,
) => {
  const texts = buildEach(deps, files, buildText);
  const missing = rows
    .filter((row) => languageOf(row) === null)
    .map((row) => ({ video: toNote(row), reason: row.message ?? row.status }));
  const options = {
    title: documentTitle(job, rows),
    format: format as DocumentFormat,
    texts,
    missing,
    omitted: job.omitted,
  };
  const videos = files.map(toDocumentVideo);
  if (maxWords === null) return [documentText(options, videos)];
  const [name, day] = [archiveFolder(job, rows).slice(0, -1), fileDay(job, { published_at: null })];
  const parts = documentParts({ ...options, maxWords, name, day });
  return zipParts({ head: [], files: parts, limitBytes: deps.partBytes });
};

const zip = { extension: 'zip', contentType: 'application/zip' };
const text = { extension: 'txt', contentType: 'text/plain; charset=utf-8' };

/** Stores one ZIP or text. Saves its key first, so that it is deleted even if the build dies. */
const storePart = async (
  { db, objects }: Deps,
  archive: Archive,
  { key, contentType }: { readonly key: string; readonly contentType: string },
  source: AsyncIterable<Uint8Array>,
) => {
  if (!(await saveObject(db, archive.id, key))) throw new Error(`archive ${archive.id} has ended`);
  crashPoint('archive-part-noted');
  const stream = Readable.from(source, { objectMode: false });
  const { bytes, sha256 } = await objects.put(key, stream, { contentType });
  crashPoint('archive-part-stored');
  return { objectKey: key, bytes, sha256 };
};

/**
 * Packs the delivered files of a job and stores the ZIPs, with a few files in memory at a time. Each attempt (`buildId`) has its own keys, so
 * that a worker that was frozen cannot overwrite those of another. Throws `archive_source_changed` if the job has changed.
 */
export async function buildParts(
  deps: Deps,
  archive: Archive,
  buildId: string,
  caller: CallContext,
): Promise<ArchivePart[]> {
  const { accountId, jobId, contents: expected, formats, kind, maxWords } = archive;
  const manifest = await deps.call(bulkOrchestrator.getJobManifest, { accountId, jobId }, caller);
  if (digestContents(manifest, archive) !== expected) throw serviceError('archive_source_changed');
  const folder = archiveFolder(manifest.job, manifest.rows);
  const contents: FormatContents[] = [];
  for (const format of formats) {
    const root = formatRoot(folder, format, formats);
    contents.push(await prepareFormat(deps, manifest, { format, root, kind }, caller));
  }
  const [first] = contents;
  const sources =
    kind === 'document' && first
      ? documentFiles(deps, archive, manifest, first)
      : await zipFiles(deps, manifest, folder, contents);
  const file = kind === 'document' && maxWords === null ? text : zip;
  const parts: ArchivePart[] = [];
  for await (const source of sources) {
    caller.signal.throwIfAborted();
    const part = parts.length + 1;
    const key = `archives/${archive.id}/${buildId}/${part}.${file.extension}`;
    parts.push({ part, ...(await storePart(deps, archive, { key, ...file }, source)) });
  }
  return parts;
}
