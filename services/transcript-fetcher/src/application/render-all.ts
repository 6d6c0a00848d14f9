import type { ReplyOf, TranscriptFormat, transcriptFetcher } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import type { KeptFile } from '../domain/transcript.ts';
import { findRendered, type RenderedTranscript } from '../store/batch-rows.ts';
import { mapAtMost } from './at-most.ts';
import { isLost } from './serve-cached.ts';
import { renderAndKeep } from './transcript-files.ts';

type RenderedRow = ReplyOf<typeof transcriptFetcher.renderTranscripts>['rows'][number];

/** Files that are rendered at a time for one batch. */
export const RENDERED_AT_ONCE = 8;

type Stores = Pick<Deps, 'db' | 'sql' | 'objects'>;

/** The files of these transcripts in one format; those that nobody has rendered are rendered and kept. */
export async function renderAll(
  deps: Stores,
  transcriptIds: readonly string[],
  format: TranscriptFormat,
): Promise<RenderedRow[]> {
  const found = new Map(
    (await findRendered(deps.sql, transcriptIds, format)).map((each) => [each.transcript.id, each]),
  );
  return await mapAtMost(RENDERED_AT_ONCE, [...new Set(transcriptIds)], async (transcriptId) => {
    const known = found.get(transcriptId);
    const file = known && (await fileOf(deps, known, format));
    if (!file) return { transcriptId, state: 'failed', code: 'cache_object_missing' };
    const { objectKey, bytes, sha256, crc32 } = file;
    return { transcriptId, state: 'rendered', objectKey, bytes, sha256, crc32 };
  });
}

async function fileOf(
  deps: Stores,
  { transcript, rendered }: RenderedTranscript,
  format: TranscriptFormat,
): Promise<KeptFile | null> {
  try {
    return rendered ?? (await renderAndKeep(deps, transcript, format)).file;
  } catch (error) {
    if (isLost(error)) return null;
    throw error;
  }
}
