import {
  type JobSummary as Job,
  MAX_RENDERED,
  type ManifestRow,
  type ReplyOf,
  type TranscriptFormat,
  transcriptFetcher,
  type WantedTranscript,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { CallContext } from '@tds/kit';
import type { Deps } from '../deps.ts';

type RenderedRow = Extract<
  ReplyOf<typeof transcriptFetcher.renderTranscripts>['rows'][number],
  { state: 'rendered' }
>;
/** A file in the object store, where it is raw-deflated; bytes and digests are of the inflated file. */
export type StoredFile = Omit<RenderedRow, 'state' | 'transcriptId'>;

/**
 * The stored files of transcripts in one format, by transcript id; renders missing ones. Throws if one of them is lost, because an archive
 * has all files.
 */
export async function findStoredFiles(
  { call }: Pick<Deps, 'call'>,
  transcripts: readonly WantedTranscript[],
  format: TranscriptFormat,
  context: CallContext,
): Promise<ReadonlyMap<string, StoredFile>> {
  const files = new Map<string, StoredFile>();
  let missing = [...new Map(transcripts.map((each) => [each.transcriptId, each])).values()];
  while (missing.length > 0) {
    const request = { format, transcripts: missing.slice(0, MAX_RENDERED) };
    const { rows } = await call(transcriptFetcher.renderTranscripts, request, context);
    for (const row of rows) {
      if (row.state === 'failed') throw serviceError('archive_source_unavailable', { cause: row.code });
      const { objectKey, bytes, sha256, crc32 } = row;
      files.set(row.transcriptId, { objectKey, bytes, sha256, crc32 });
    }
    const remaining = missing.filter(({ transcriptId }) => !files.has(transcriptId));
    // An answer has as many rows as fit into a message, and at least one.
    if (remaining.length === missing.length) throw serviceError('archive_source_unavailable');
    missing = remaining;
  }
  return files;
}

/** The transcripts of a job's delivered rows, as they were requested. */
export const listTranscripts = (
  rows: readonly ManifestRow[],
  { fallback }: Pick<Job, 'fallback'>,
): WantedTranscript[] =>
  rows.flatMap(({ transcript_id: transcriptId, video_id: videoId, requested_language: language }) =>
    transcriptId === null ? [] : [{ transcriptId, videoId, language, fallback }],
  );

/** The file that a row names. */
const toNamedFile = ({
  transcript_id: id,
  object_key: objectKey,
  bytes,
  sha256,
  crc32,
}: ManifestRow): [string, StoredFile][] =>
  id === null || objectKey === null || bytes === null || sha256 === null || crc32 === null
    ? []
    : [[id, { objectKey, bytes, sha256, crc32 }]];

/**
 * The stored files of a job in its own format, by transcript id, as its rows name them. Renders only those that the store has lost.
 */
export async function findOwnFiles(
  { call, objects }: Pick<Deps, 'call' | 'objects'>,
  rows: readonly ManifestRow[],
  job: Pick<Job, 'fallback' | 'format'>,
  context: CallContext,
): Promise<ReadonlyMap<string, StoredFile>> {
  const namedFiles = new Map(rows.flatMap(toNamedFile));
  const stored = await objects.findExisting([...namedFiles.values()].map(({ objectKey }) => objectKey));
  const isLost = ({ transcriptId }: WantedTranscript) =>
    !stored.has(namedFiles.get(transcriptId)?.objectKey ?? '');
  const lostTranscripts = listTranscripts(rows, job).filter(isLost);
  return new Map([...namedFiles, ...(await findStoredFiles({ call }, lostTranscripts, job.format, context))]);
}
