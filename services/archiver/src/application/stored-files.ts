import {
  type JobSummary as Job,
  type ManifestRow,
  MOST_RENDERED,
  type ReplyOf,
  serviceError,
  type TranscriptFormat,
  transcriptFetcher,
  type WantedTranscript,
} from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

type Rendered = Extract<
  ReplyOf<typeof transcriptFetcher.renderTranscripts>['rows'][number],
  { state: 'rendered' }
>;
/** A file in the object store, raw-deflated there; its numbers are of the file itself. */
export type StoredFile = Omit<Rendered, 'state' | 'transcriptId'>;
type Caller = Pick<Context, 'requestId' | 'accountId' | 'signal'>;

/**
 * The stored files of transcripts in one format, by transcript id; those that were never rendered in it are rendered for this.
 * Throws where one of them is lost: an archive has all files or is none.
 */
export async function storedFiles(
  { call }: Pick<Deps, 'call'>,
  transcripts: readonly WantedTranscript[],
  format: TranscriptFormat,
  context: Caller,
): Promise<ReadonlyMap<string, StoredFile>> {
  const files = new Map<string, StoredFile>();
  let missing = [...new Map(transcripts.map((each) => [each.transcriptId, each])).values()];
  while (missing.length > 0) {
    const asked = { format, transcripts: missing.slice(0, MOST_RENDERED) };
    const { rows } = await call(transcriptFetcher.renderTranscripts, asked, context);
    for (const row of rows) {
      if (row.state === 'failed') throw serviceError('archive_source_unavailable', { cause: row.code });
      const { objectKey, bytes, sha256, crc32 } = row;
      files.set(row.transcriptId, { objectKey, bytes, sha256, crc32 });
    }
    const left = missing.filter(({ transcriptId }) => !files.has(transcriptId));
    // An answer holds as much as fits into a message, and at least one of those that were asked for.
    if (left.length === missing.length) throw serviceError('archive_source_unavailable');
    missing = left;
  }
  return files;
}

/** What the delivered rows of a job were asked for as. */
export const transcriptsOf = (
  rows: readonly ManifestRow[],
  { fallback }: Pick<Job, 'fallback'>,
): WantedTranscript[] =>
  rows.flatMap(({ transcript_id: transcriptId, video_id: videoId, requested_language: language }) =>
    transcriptId === null ? [] : [{ transcriptId, videoId, language, fallback }],
  );

/** The file that a row itself names. */
const namedFile = ({
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
 * The stored files of a job in its own format, by transcript id: those that its rows name, whatever is known elsewhere. Only what
 * the store has lost is asked for.
 */
export async function ownFiles(
  { call, objects }: Pick<Deps, 'call' | 'objects'>,
  rows: readonly ManifestRow[],
  job: Pick<Job, 'fallback' | 'format'>,
  context: Caller,
): Promise<ReadonlyMap<string, StoredFile>> {
  const named = new Map(rows.flatMap(namedFile));
  const stored = await objects.existing([...named.values()].map(({ objectKey }) => objectKey));
  const isLost = ({ transcriptId }: WantedTranscript) =>
    !stored.has(named.get(transcriptId)?.objectKey ?? '');
  const lost = transcriptsOf(rows, job).filter(isLost);
  return new Map([...named, ...(await storedFiles({ call }, lost, job.format, context))]);
}
