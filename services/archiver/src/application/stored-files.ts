import {
  MOST_BATCH_ROWS,
  type ReplyOf,
  serviceError,
  type TranscriptFormat,
  transcriptFetcher,
} from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

type Rendered = Extract<
  ReplyOf<typeof transcriptFetcher.renderTranscripts>['rows'][number],
  { state: 'rendered' }
>;
/** A file in the object store, raw-deflated there; its numbers are of the file itself. */
export type StoredFile = Omit<Rendered, 'state' | 'transcriptId'>;

/**
 * The stored files of transcripts in one format, by transcript id; those that were never rendered in it are rendered for this.
 * Throws where one of them is lost: an archive has all files or is none.
 */
export async function storedFiles(
  { call }: Pick<Deps, 'call'>,
  transcriptIds: readonly string[],
  format: TranscriptFormat,
  context: Pick<Context, 'requestId' | 'accountId' | 'signal'>,
): Promise<ReadonlyMap<string, StoredFile>> {
  const files = new Map<string, StoredFile>();
  let missing = [...new Set(transcriptIds)];
  while (missing.length > 0) {
    const asked = { format, transcriptIds: missing.slice(0, MOST_BATCH_ROWS) };
    const { rows } = await call(transcriptFetcher.renderTranscripts, asked, context);
    for (const row of rows) {
      if (row.state === 'failed') throw serviceError('archive_source_unavailable', { cause: row.code });
      const { objectKey, bytes, sha256, crc32 } = row;
      files.set(row.transcriptId, { objectKey, bytes, sha256, crc32 });
    }
    const left = missing.filter((id) => !files.has(id));
    // An answer holds as much as fits into a message, and at least one of those that were asked for.
    if (left.length === missing.length) throw serviceError('archive_source_unavailable');
    missing = left;
  }
  return files;
}
