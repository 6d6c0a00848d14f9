import { Readable } from 'node:stream';
import {
  type ArchivePart,
  bulkOrchestrator,
  type ReplyOf,
  serviceError,
  type TranscriptFormat,
} from '@tds/contracts';
import {
  deliveredDigests,
  formatRoot,
  manifestEntries,
  manifestFiles,
  type ZipEntry,
  zipParts,
} from '@tds/job-files';
import { type Context, crashPoint } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { Archive } from '../domain/archive.ts';
import { contentsOf } from '../domain/contents.ts';
import { noteObject } from '../store/archives.ts';
import { type ArchiveFile, entriesOf, filesOf } from './archive-files.ts';
import { ownFiles, storedFiles, transcriptsOf } from './stored-files.ts';

type Caller = Pick<Context, 'requestId' | 'accountId' | 'signal'>;
type Manifest = ReplyOf<typeof bulkOrchestrator.getJobManifest>;
type Contents = { readonly manifests: readonly ZipEntry[]; readonly files: readonly ArchiveFile[] };

/** What the archive has in one of its formats. */
const inFormat = async (
  deps: Deps,
  { job, rows }: Manifest,
  { format, formats }: { readonly format: TranscriptFormat; readonly formats: Archive['formats'] },
  caller: Caller,
): Promise<Contents> => {
  const root = formatRoot(format, formats);
  const stored = await (format === job.format
    ? ownFiles(deps, rows, job, caller)
    : storedFiles(deps, transcriptsOf(rows, job), format, caller));
  const files = filesOf(rows, format, root, stored);
  const digests = await deliveredDigests(format, files, deps.objects.getAll);
  const { id: job_id, monitor_id, name, metadata, status } = job;
  const entries = manifestEntries(rows, { format, digests, root });
  return {
    manifests: manifestFiles(root, { job_id, monitor_id, name, metadata, status, format }, entries),
    files,
  };
};

/** Stores one ZIP under a key that is noted before, so that it is deleted whatever becomes of the build. */
const storePart = async (
  { db, objects }: Deps,
  archive: Archive,
  key: string,
  zip: AsyncIterable<Uint8Array>,
): Promise<Omit<ArchivePart, 'part'>> => {
  if (!(await noteObject(db, archive.id, key))) throw new Error(`archive ${archive.id} has ended meanwhile`);
  crashPoint('archive-part-noted');
  const { bytes, sha256 } = await objects.put(key, Readable.from(zip, { objectMode: false }), {
    contentType: 'application/zip',
  });
  crashPoint('archive-part-stored');
  return { objectKey: key, bytes, sha256 };
};

/**
 * Packs what the job has delivered and stores the ZIPs; in memory are a few files at a time. Each attempt (`buildId`) has keys of
 * its own, so that a stopped worker that wakes up can spoil nothing. Throws `archive_source_changed` where the job is not the
 * one any more that the archive is of.
 */
export async function buildParts(
  deps: Deps,
  archive: Archive,
  buildId: string,
  caller: Caller,
): Promise<ArchivePart[]> {
  const { accountId, jobId, contents: expected, formats } = archive;
  const manifest = await deps.call(bulkOrchestrator.getJobManifest, { accountId, jobId }, caller);
  if (contentsOf(manifest, formats) !== expected) throw serviceError('archive_source_changed');
  const contents: Contents[] = [];
  for (const format of formats) contents.push(await inFormat(deps, manifest, { format, formats }, caller));
  const head = contents.flatMap(({ manifests }) => manifests);
  const files = entriesOf(
    deps,
    contents.flatMap((each) => each.files),
  );
  const parts: ArchivePart[] = [];
  for await (const zip of zipParts({ head, files, limitBytes: deps.partBytes })) {
    caller.signal.throwIfAborted();
    const part = parts.length + 1;
    const key = `archives/${archive.id}/${buildId}/${part}.zip`;
    parts.push({ part, ...(await storePart(deps, archive, key, zip)) });
  }
  return parts;
}
